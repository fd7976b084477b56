import { HOUR_MS, SECOND_MS } from '../../core/time.ts';
import type { WebhookEvent } from '../../gateways/webhookEvent.ts';

/** When news is told first: after the answer of what caused it. */
export const AT_ONCE_MS = 50;

/** How long news waits after each failure: one second, then twice as long, at most an hour. */
const LONGEST_WAIT_MS = HOUR_MS;

/** Takes news of the acquirer. False, or an error, means that it was not taken: it is told again later. */
export interface NewsReceiver {
  receiveNews(news: WebhookEvent): Promise<boolean>;
}

/** News that waits to be told. */
interface WaitingNews {
  readonly sequence: number;
  readonly failures: number;
  readonly news: WebhookEvent;
}

/** The news that the sandbox acquirer has to tell, in its own storage: a crash loses none. */
export class NewsQueue {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    prepareQueue(storage.sql);
  }

  /** Queues news. It is stored together with whatever the caller stored before its next `await`. */
  add(news: WebhookEvent, nowMs: number): void {
    this.#storage.sql.exec(
      'INSERT INTO waiting_news (due_at_ms, news) VALUES (?, ?)',
      nowMs + AT_ONCE_MS,
      JSON.stringify(news),
    );
    this.#setAlarm();
  }

  /** Tells all that is due, each piece once, and sets the alarm for the rest. */
  async tell(receiver: NewsReceiver, nowMs: number): Promise<void> {
    await Promise.all(
      this.#due(nowMs).map(async (waiting) => {
        const taken = await receiver.receiveNews(waiting.news).catch(() => false);
        if (taken) this.#remove(waiting);
        else this.#postpone(waiting, nowMs);
      }),
    );
    this.#setAlarm();
  }

  #due(nowMs: number): WaitingNews[] {
    const rows = this.#storage.sql.exec(
      'SELECT sequence, failures, news FROM waiting_news WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?',
      nowMs,
      MOST_AT_ONCE,
    );
    return rows.toArray().map(({ sequence, failures, news }) => ({
      sequence: Number(sequence),
      failures: Number(failures),
      news: JSON.parse(news as string) as WebhookEvent,
    }));
  }

  #remove({ sequence }: WaitingNews): void {
    this.#storage.sql.exec('DELETE FROM waiting_news WHERE sequence = ?', sequence);
  }

  #postpone({ sequence, failures }: WaitingNews, nowMs: number): void {
    this.#storage.sql.exec(
      'UPDATE waiting_news SET failures = failures + 1, due_at_ms = ? WHERE sequence = ?',
      nowMs + waitAfter(failures + 1),
      sequence,
    );
  }

  #setAlarm(): void {
    const { due } = this.#storage.sql
      .exec<{ due: number | null }>('SELECT min(due_at_ms) AS due FROM waiting_news')
      .one();
    // The storage keeps the order of its writes, so that nobody has to wait for this one.
    if (due !== null) void this.#storage.setAlarm(due);
  }
}

/**
 * Creates the queue's table. Numbers are used once: an alarm and a call of `tellNow` may tell the same news, and the one
 * that ends last must not remove news that came in between. Tables of earlier versions used numbers again.
 */
function prepareQueue(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS waiting_news (sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      due_at_ms INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0, news TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS waiting_news_due ON waiting_news (due_at_ms);
  `);
  const older = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'news'");
  if (older.toArray().length === 0) return;
  sql.exec(`
    INSERT INTO waiting_news (due_at_ms, failures, news) SELECT due_at_ms, failures, news FROM news;
    DROP TABLE news;
  `);
}

/** How much news one alarm tells. */
const MOST_AT_ONCE = 20;

/** How long news waits after its nth failure in a row. */
function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, SECOND_MS * 2 ** (failures - 1));
}
