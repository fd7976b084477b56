import type { SandboxRequest } from '../../../src/gateways/sandbox.ts';
import { SandboxAcquirer } from '../../../src/sandbox/acquirer/acquirer.ts';

/** The requests whose answers were lost, by their keys: the acquirer has carried out some of them, the others not yet. */
const lost = new Map<string, SandboxRequest>();

/**
 * Lets the acquirer lose an answer by saying that it is unknown, where else it throws, until the returned function
 * undoes it. To the gateway that is the same, but the runtime prints each throw to the terminal, and the stories
 * lose thousands of answers.
 */
export function loseAnswersQuietly(): () => void {
  const { prototype } = SandboxAcquirer;
  const kept = Object.getOwnPropertyDescriptor(prototype, 'perform');
  const perform = kept?.value as (typeof prototype)['perform'];
  prototype.perform = async function (this: SandboxAcquirer, request) {
    try {
      const outcome = await perform.call(this, request);
      // In an outage it may not have arrived.
      if (outcome.kind === 'unknown') remember(request);
      return outcome;
    } catch {
      remember(request);
      return { kind: 'unknown', reason: 'the answer is lost' };
    }
  };
  return () => {
    prototype.perform = perform;
  };
}

/** Notes that a request did not arrive. */
function remember(request: SandboxRequest): void {
  lost.set(request.idempotencyKey, request);
}

/** A request that was lost, to be sent on. */
export function lostRequest(idempotencyKey: string): SandboxRequest {
  const request = lost.get(idempotencyKey);
  if (!request) throw new Error('this request was not lost');
  return request;
}
