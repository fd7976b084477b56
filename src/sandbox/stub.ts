import type { Env } from '../platform/env.ts';
import type { SandboxAcquirer } from './acquirer/acquirer.ts';

/** A stub of the deployment's one sandbox acquirer. Make one for each call: a stub that threw stays broken. */
export function sandboxAcquirer(env: Env): DurableObjectStub<SandboxAcquirer> {
  return (env.SANDBOX_GATEWAY as DurableObjectNamespace<SandboxAcquirer>).getByName('acquirer');
}
