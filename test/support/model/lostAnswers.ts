import { SandboxAcquirer, type SandboxRequest } from '../../../src/gateways/sandbox/acquirer.ts';

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
      return await perform.call(this, request);
    } catch {
      lost.set(request.idempotencyKey, request);
      return { kind: 'unknown', reason: 'the answer is lost' };
    }
  };
  return () => {
    prototype.perform = perform;
  };
}

/** A request that was lost, to be sent on. */
export function lostRequest(idempotencyKey: string): SandboxRequest {
  const request = lost.get(idempotencyKey);
  if (!request) throw new Error('this request was not lost');
  return request;
}
