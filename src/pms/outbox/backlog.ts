import type { Database } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import {
  type DueMessage,
  type Served,
  selectDue,
  selectNextDue,
  selectPropertiesOfPms,
} from './store.ts';

/** How many messages one query reads. */
const PAGE = 50;

/** The due messages for one PMS, read from D1 in pages. */
export class Backlog {
  readonly #database: Database;
  readonly #served: Served;
  /** Messages read and not taken yet. */
  readonly #waiting: DueMessage[] = [];
  #properties = new Map<string, PropertyRow>();
  #mayHaveMore = true;
  #nextDueAtMs: number | null = null;

  constructor(database: Database, served: Served) {
    this.#database = database;
    this.#served = served;
  }

  /** Whether a due message is here, or may be in D1. */
  get mayHaveMore(): boolean {
    return this.#waiting.length > 0 || this.#mayHaveMore;
  }

  /** When the next message becomes due; null if none is waiting for its time. */
  get nextDueAtMs(): number | null {
    return this.#nextDueAtMs;
  }

  /** The property of a taken message. */
  propertyOf({ propertyId }: DueMessage): PropertyRow | undefined {
    return this.#properties.get(propertyId);
  }

  /** Takes the message that has been due longest, if any. Skips bookings with a message under way. */
  async take(nowMs: number, underWay: Iterable<string>): Promise<DueMessage | undefined> {
    if (this.#waiting.length === 0 && this.#mayHaveMore) await this.#readPage(nowMs, underWay);
    return this.#waiting.shift();
  }

  /** Adds a message before all others. */
  putFirst(message: DueMessage): void {
    this.#waiting.unshift(message);
  }

  /** Records that a message in D1 is to be sent again at this time. */
  expectAt(dueAtMs: number): void {
    this.#nextDueAtMs = Math.min(this.#nextDueAtMs ?? dueAtMs, dueAtMs);
  }

  /** Records that D1 may have new messages. */
  refresh(): void {
    this.#mayHaveMore = true;
  }

  async #readPage(nowMs: number, underWay: Iterable<string>): Promise<void> {
    const { queries } = this.#database;
    // Cleared first: a refresh during the query has to cause another one.
    this.#mayHaveMore = false;
    // Copied first: a message under way may be delivered during the query and still appear in its answer.
    const skipped = new Set(underWay);
    const [properties, due, [next]] = await this.#database.batch('d1.outbox.read', [
      selectPropertiesOfPms(queries, this.#served.pmsUrl),
      selectDue(queries, this.#served, nowMs, PAGE),
      selectNextDue(queries, this.#served, nowMs),
    ]);
    this.#properties = new Map(properties.map((property) => [property.id, property]));
    this.#nextDueAtMs = typeof next?.inMs === 'number' ? nowMs + next.inMs : null;
    for (const message of due) {
      // Of a booking one at a time: its next one follows when this one is done.
      if (skipped.has(bookingOf(message))) continue;
      skipped.add(bookingOf(message));
      this.#waiting.push(message);
    }
    // A full page may have a successor. If all of it is under way, wait for that instead of reading it again.
    if (due.length === PAGE && this.#waiting.length > 0) this.#mayHaveMore = true;
  }
}

/** A key for the booking of a message. */
export function bookingOf({ propertyId, bookingReference }: DueMessage): string {
  return JSON.stringify([propertyId, bookingReference]);
}
