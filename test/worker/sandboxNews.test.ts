/** The news that the sandbox acquirer has to tell: none is lost, however tellings overlap. */
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../src/gateways/webhookEvent.ts';
import { NewsQueue } from '../../src/sandbox/acquirer/news.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { testEnv } from '../support/api.ts';

/** Later than all news is due. */
const LATER = Date.now() + 60_000;

const news = (id: string) => ({ kind: 'dispute' as const, id, account: null });

/** Runs with the acquirer's storage. Its own alarm finds the queue empty in the end. */
function withStorage(run: (storage: DurableObjectStorage) => Promise<void>): Promise<void> {
  return runInDurableObject(sandboxAcquirer(testEnv), (_object, { storage }) => run(storage));
}

/** A receiver that keeps what it hears, and answers as soon as it is told to. */
function receiver() {
  const heard: string[] = [];
  const answers: ((taken: boolean) => void)[] = [];
  return {
    heard,
    answers,
    receiveNews: (told: WebhookEvent) => {
      heard.push('id' in told ? told.id : told.kind);
      return new Promise<boolean>((resolve) => answers.push(resolve));
    },
  };
}

// The acquirer has no news of another file.
describe('news of the sandbox', () => {
  it('that comes while the last is told twice at once is not lost', async () => {
    await withStorage(async (storage) => {
      const queue = new NewsQueue(storage);
      const { heard, answers, receiveNews } = receiver();
      queue.add(news('opened'), Date.now());
      const byAlarm = queue.tell({ receiveNews }, LATER);
      const byCall = queue.tell({ receiveNews }, LATER);
      expect(heard).toEqual(['opened', 'opened']);
      answers[0]?.(true);
      await byAlarm;
      queue.add(news('closed'), Date.now());
      answers[1]?.(true);
      await byCall;
      const told = queue.tell({ receiveNews }, LATER);
      answers[2]?.(true);
      await told;
      expect(heard).toEqual(['opened', 'opened', 'closed']);
    });
  });

  it('that an earlier version had stored is told', async () => {
    await withStorage(async (storage) => {
      storage.sql.exec(`
        CREATE TABLE news (sequence INTEGER PRIMARY KEY, due_at_ms INTEGER NOT NULL,
          failures INTEGER NOT NULL DEFAULT 0, news TEXT NOT NULL);
        INSERT INTO news (due_at_ms, news) VALUES (0, '{"kind":"dispute","id":"old","account":null}');
      `);
      const { heard, answers, receiveNews } = receiver();
      const told = new NewsQueue(storage).tell({ receiveNews }, LATER);
      answers[0]?.(true);
      await told;
      expect(heard).toEqual(['old']);
      await new NewsQueue(storage).tell({ receiveNews }, LATER);
      expect(heard).toEqual(['old']);
    });
  });
});
