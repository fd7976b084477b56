import type { Outgoing } from './outgoing.ts';

/** How many things one query reads. */
const PAGE = 50;

/** What cannot be taken now. */
interface Busy {
  /** The lanes with an item under way. */
  readonly lanes: Iterable<string>;
  /** The accounts of which nothing may be sent at a time. */
  readonly blocked: (nowMs: number) => readonly string[];
}

/** What is due for one receiver, read from D1 in pages. */
export class Backlog<Item> {
  readonly #outgoing: Outgoing<Item>;
  /** Items read and not taken yet. */
  readonly #waiting: Item[] = [];
  #mayHaveMore = true;
  #nextDueAtMs: number | null = null;

  constructor(outgoing: Outgoing<Item>) {
    this.#outgoing = outgoing;
  }

  /** Whether a due item is here, or may be in D1. */
  get mayHaveMore(): boolean {
    return this.#waiting.length > 0 || this.#mayHaveMore;
  }

  /** When the next item becomes due; null if none is waiting for its time. */
  get nextDueAtMs(): number | null {
    return this.#nextDueAtMs;
  }

  /** Takes the item that has been due longest, if any, of a lane and an account that are not busy. */
  async take(nowMs: number, { blocked, lanes }: Busy): Promise<Item | undefined> {
    this.#drop(blocked(nowMs));
    if (this.#waiting.length === 0 && this.#mayHaveMore) {
      await this.#readPage(nowMs, lanes, blocked(nowMs));
      // One may have been denied meanwhile.
      this.#drop(blocked(nowMs));
    }
    return this.#waiting.shift();
  }

  /** Forgets items of accounts that are blocked: they are in D1, and hide those of others here. */
  #drop(blocked: readonly string[]): void {
    const { accounts } = this.#outgoing;
    if (accounts === undefined || blocked.length === 0) return;
    const kept = this.#waiting.filter((item) => !blocked.includes(accounts.of(item)));
    if (kept.length === this.#waiting.length) return;
    this.#waiting.splice(0, this.#waiting.length, ...kept);
    this.#mayHaveMore = true;
  }

  /** Adds an item before all others. */
  putFirst(item: Item): void {
    this.#waiting.unshift(item);
  }

  /** Records that an item in D1 is to be sent again at this time. */
  expectAt(dueAtMs: number): void {
    this.#nextDueAtMs = Math.min(this.#nextDueAtMs ?? dueAtMs, dueAtMs);
  }

  /** Records that D1 may have new items. */
  refresh(): void {
    this.#mayHaveMore = true;
  }

  async #readPage(nowMs: number, underWay: Iterable<string>, blocked: readonly string[]) {
    // Cleared first: a refresh during the query has to cause another one.
    this.#mayHaveMore = false;
    // Copied first: an item under way may be delivered during the query and still appear in its answer.
    const skipped = new Set(underWay);
    const { hasMore, items, nextDueAtMs } = await this.#outgoing.readDue(nowMs, PAGE, blocked);
    this.#nextDueAtMs = nextDueAtMs;
    for (const item of items) {
      const lane = this.#outgoing.laneOf(item);
      // Of a lane one at a time: its next one follows when this one is done.
      if (skipped.has(lane)) continue;
      skipped.add(lane);
      this.#waiting.push(item);
    }
    // A full page may have a successor. If all of it is under way, wait for that instead of reading it again.
    if (hasMore && this.#waiting.length > 0) this.#mayHaveMore = true;
  }
}
