import { SandboxAcquirer } from '../../../src/gateways/sandbox/acquirer.ts';

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
      return { kind: 'unknown', reason: 'the answer is lost' };
    }
  };
  return () => {
    prototype.perform = perform;
  };
}
