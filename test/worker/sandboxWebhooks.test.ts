/** The webhook events that the sandbox acquirer has to deliver: none is lost, however deliveries overlap. */
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../src/gateways/webhookEvent.ts';
import { WebhookQueue } from '../../src/sandbox/acquirer/webhooks.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { testEnv } from '../support/api.ts';

/** Later than all events are due. */
const LATER = Date.now() + 60_000;

const eventOf = (id: string) => ({ kind: 'dispute' as const, id, account: null });

/** Runs with the acquirer's storage. Its own alarm finds the queue empty in the end. */
function withStorage(run: (storage: DurableObjectStorage) => Promise<void>): Promise<void> {
  return runInDurableObject(sandboxAcquirer(testEnv), (_object, { storage }) => run(storage));
}

/** A receiver that keeps what it gets, and answers when the test says so. */
function slowReceiver() {
  const received: string[] = [];
  const answers: ((taken: boolean) => void)[] = [];
  const receiver = (event: WebhookEvent) => {
    received.push('id' in event ? event.id : event.kind);
    return new Promise<boolean>((resolve) => answers.push(resolve));
  };
  return { received, answers, receiver };
}

// The acquirer has no events of another file.
describe('a webhook event of the sandbox', () => {
  it('that comes while the last is delivered twice at once is not lost', async () => {
    await withStorage(async (storage) => {
      const queue = new WebhookQueue(storage);
      const { received, answers, receiver } = slowReceiver();
      queue.add(eventOf('opened'), Date.now());
      const byAlarm = queue.deliver(receiver, LATER);
      const byCall = queue.deliver(receiver, LATER);
      expect(received).toEqual(['opened', 'opened']);
      answers[0]?.(true);
      await byAlarm;
      queue.add(eventOf('closed'), Date.now());
      answers[1]?.(true);
      await byCall;
      const delivery = queue.deliver(receiver, LATER);
      answers[2]?.(true);
      await delivery;
      expect(received).toEqual(['opened', 'opened', 'closed']);
    });
  });
});
