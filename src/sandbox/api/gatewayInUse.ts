import { type Failure, failure } from '../../core/failure.ts';
import type { AppContext } from '../../http/context.ts';

/** Whether this deployment uses the sandbox gateway. */
export function usesSandbox(c: AppContext): boolean {
  return c.get('config').gateway.name === 'sandbox';
}

/** The failure of the sandbox's operations where another gateway is in use. */
export function noSandbox(): Failure {
  return failure('not_found', 'This deployment does not use the sandbox gateway.');
}
