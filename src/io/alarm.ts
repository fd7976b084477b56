import { SECOND_MS } from '../core/time.ts';
import type { Crossings } from './crossings.ts';

/** An alarm this late is taken for lost; one that mends is set this far ahead. */
const OVERDUE_MS = 5 * SECOND_MS;

/**
 * A Durable Object's one alarm, set for the earliest thing that anybody asked for. What is set is
 * remembered, so that a busy object does not write its alarm anew each time.
 */
export class Alarm {
  readonly #storage: DurableObjectStorage;
  /** The time that is set; undefined until it was read once. */
  #setAtMs: number | null | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /**
   * Mends what the platform may have lost: an alarm that should have rung is set again, and an object that has
   * just come to life without one looks once at what is due.
   */
  async repair(crossings: Crossings, nowMs: number): Promise<void> {
    const fresh = this.#setAtMs === undefined;
    const standing = await this.#standing(crossings);
    if (standing === null ? fresh : standing < nowMs - OVERDUE_MS) {
      await this.at(crossings, nowMs + OVERDUE_MS);
    }
  }

  /**
   * Sees to it that the alarm rings by `atMs`. One that should have rung already is about to, or lost: it is set
   * again for at once, so that what it was for is not put off.
   */
  async by(crossings: Crossings, atMs: number, nowMs: number): Promise<void> {
    const standing = await this.#standing(crossings);
    if (standing !== null && standing > nowMs && standing <= atMs) return;
    const overdue = standing !== null && standing <= nowMs;
    await this.at(crossings, overdue ? Math.min(atMs, nowMs + 1) : atMs);
  }

  /** Sets the alarm to exactly `atMs`. */
  async at(crossings: Crossings, atMs: number): Promise<void> {
    await crossings.cross('storage.alarm', () => this.#storage.setAlarm(atMs));
    this.#setAtMs = atMs;
  }

  /** Takes the alarm off: nothing is due. */
  async off(crossings: Crossings): Promise<void> {
    await crossings.cross('storage.alarm', () => this.#storage.deleteAlarm());
    this.#setAtMs = null;
  }

  async #standing(crossings: Crossings): Promise<number | null> {
    if (this.#setAtMs === undefined) {
      this.#setAtMs = await crossings.cross('storage.alarm', () => this.#storage.getAlarm());
    }
    return this.#setAtMs;
  }
}
