/**
 * Ids of charges and refunds: integers below 2^53, unique in a database without a shared counter. From high to
 * low: milliseconds since 2024, 11 bits to distinguish ids of one millisecond, and one bit for the kind, so that a
 * refund never has a charge's id. No bit is left for the number of a database: in two of them, two properties
 * may have the same one.
 */
export type MoneyKind = 'charge' | 'refund';

const EPOCH_MS = Date.UTC(2024, 0, 1);
const SLOTS = 2 ** 11;

/** Makes ids that always grow, even within one millisecond. */
export class MoneyIds {
  #last = 0;
  readonly #randomSlot: () => number;

  /** `randomSlot` gives a random integer from 0 to 2047. */
  constructor(randomSlot: () => number) {
    this.#randomSlot = randomSlot;
  }

  /** The next id: even for a charge, odd for a refund. The primary key catches a collision of two isolates. */
  next(kind: MoneyKind, nowMs: number): number {
    return this.sequence(nowMs) * 2 + (kind === 'refund' ? 1 : 0);
  }

  /** A number that grows with time and with every call. */
  sequence(nowMs: number): number {
    const fresh = (nowMs - EPOCH_MS) * SLOTS + (this.#randomSlot() % SLOTS);
    this.#last = Math.max(fresh, this.#last + 1);
    return this.#last;
  }
}

/** The lowest id made at this instant or later. It turns a `since` filter into a range of ids. */
export function lowestIdAt(atMs: number): number {
  return Math.max(0, atMs - EPOCH_MS) * SLOTS * 2;
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as lower-case hex: 16 bytes make a transaction reference or a card token. */
export function hex(bytes: Uint8Array): string {
  // Joined at once: a text that was put together from parts keeps them all, many times its own size.
  return Array.from(bytes, (byte) => PAIRS[byte]).join('');
}
