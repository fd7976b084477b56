import { handleEvent } from '../../api/webhooks/handleEvent.ts';
import { HOUR_MS, SECOND_MS } from '../../core/time.ts';
import { selectGateway } from '../../gateways/select.ts';
import type { WebhookEvent } from '../../gateways/webhookEvent.ts';
import { requireConfig } from '../../platform/config.ts';
import { openDatabase } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { newReference } from '../../platform/ids.ts';
import { Trace } from '../../platform/trace.ts';

/** When an event is delivered first: after the answer of what caused it. */
export const AT_ONCE_MS = 50;

/** How long an event waits after each failure: one second, then twice as long, at most an hour. */
const LONGEST_WAIT_MS = HOUR_MS;

const MOST_AT_ONCE = 20;

/** Takes an event. False, or an error, means that it was not taken: it is delivered again later. */
export type Receiver = (event: WebhookEvent) => Promise<boolean>;

/**
 * This service, which handles the sandbox's events like an acquirer's webhooks. False if it could not handle an event now;
 * one of what is not ours is handled.
 */
export function serviceAsReceiver(env: Env): Receiver {
  return async (event) => {
    const gateway = selectGateway(await requireConfig(env), env);
    const trace = new Trace();
    const database = openDatabase(env, trace);
    const requester = { requestId: newReference(), cardElement: null, payouts: null };
    return (await handleEvent({ env, database, trace, gateway, ...requester }, event)).ok;
  };
}

type WaitingEvent = {
  readonly sequence: number;
  readonly failures: number;
  readonly event: string;
};

/**
 * Numbers are used once: an alarm and a call of `deliverNow` may deliver the same event, and the one that ends last must not
 * remove an event that came in between.
 */
const TABLE = `
  CREATE TABLE IF NOT EXISTS waiting_events (sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    due_at_ms INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0, event TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS waiting_events_due ON waiting_events (due_at_ms)`;

/** The events that the sandbox acquirer has to deliver, in its own storage: a crash loses none. */
export class WebhookQueue {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(TABLE);
  }

  /** Queues an event. It is stored together with whatever the caller stored before its next `await`. */
  add(event: WebhookEvent, nowMs: number): void {
    this.#storage.sql.exec(
      'INSERT INTO waiting_events (due_at_ms, event) VALUES (?, ?)',
      nowMs + AT_ONCE_MS,
      JSON.stringify(event),
    );
    this.#setAlarm();
  }

  /** Delivers all that is due, each event once, and sets the alarm for the rest. */
  async deliver(receiver: Receiver, nowMs: number): Promise<void> {
    const due = this.#storage.sql.exec<WaitingEvent>(
      'SELECT sequence, failures, event FROM waiting_events WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?',
      nowMs,
      MOST_AT_ONCE,
    );
    await Promise.all(
      due.toArray().map(async ({ sequence, failures, event }) => {
        const taken = await receiver(JSON.parse(event) as WebhookEvent).catch(() => false);
        if (taken) {
          this.#storage.sql.exec('DELETE FROM waiting_events WHERE sequence = ?', sequence);
          return;
        }
        this.#storage.sql.exec(
          'UPDATE waiting_events SET failures = failures + 1, due_at_ms = ? WHERE sequence = ?',
          nowMs + Math.min(LONGEST_WAIT_MS, SECOND_MS * 2 ** failures),
          sequence,
        );
      }),
    );
    this.#setAlarm();
  }

  #setAlarm(): void {
    const { due } = this.#storage.sql
      .exec<{ due: number | null }>('SELECT min(due_at_ms) AS due FROM waiting_events')
      .one();
    // The storage keeps the order of its writes, so that nobody has to wait for this one.
    if (due !== null) void this.#storage.setAlarm(due);
  }
}
