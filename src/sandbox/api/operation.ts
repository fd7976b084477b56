import type { z } from '@hono/zod-openapi';
import { refuse } from '../../core/result.ts';
import type { AppContext } from '../../http/context.ts';
import { adminOperation } from '../../http/operation.ts';

export function usesSandbox(c: AppContext): boolean {
  return c.get('config').gateway.name === 'sandbox';
}

/** Registers an operation of the sandbox: `not_found` where another gateway is in use. */
export function sandboxOperation<Body extends object, Answer extends z.ZodRawShape>(
  ...[api, operation]: Parameters<typeof adminOperation<Body, Answer>>
): void {
  adminOperation<Body, Answer>(api, {
    ...operation,
    problems: ['not_found', ...(operation.problems ?? [])],
    handle: async (request) =>
      usesSandbox(request.c)
        ? await operation.handle(request)
        : refuse('not_found', 'This deployment does not use the sandbox gateway.'),
  });
}
