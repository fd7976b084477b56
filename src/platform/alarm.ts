import { MINUTE_MS, SECOND_MS } from '../core/time.ts';
import type { Trace } from './trace.ts';

/** An alarm this late counts as lost. `repair` sets the next one this far ahead. */
const OVERDUE_MS = 5 * SECOND_MS;

/**
 * The one alarm of a Durable Object, set for the earliest requested time. Caches that time, so that a busy object
 * does not write its alarm on every request.
 */
export class Alarm {
  readonly #storage: DurableObjectStorage;
  /** The time of the alarm; null for none, undefined before the first read. */
  #setAtMs: number | null | undefined;
  #putOffAtMs = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /**
   * Repairs a lost alarm: sets an overdue one again, and sets one for a newly started object that has none, so that
   * the object checks once for due work.
   */
  async repair(trace: Trace, nowMs: number): Promise<void> {
    const fresh = this.#setAtMs === undefined;
    const setAtMs = await this.#read(trace);
    if (setAtMs === null ? fresh : setAtMs < nowMs - OVERDUE_MS) {
      await this.at(trace, nowMs + OVERDUE_MS);
    }
  }

  /** Makes the alarm ring by `atMs`. An overdue alarm may be lost, so it is rescheduled for now. */
  async by(trace: Trace, atMs: number, nowMs: number): Promise<void> {
    const setAtMs = await this.#read(trace);
    if (setAtMs !== null && setAtMs > nowMs && setAtMs <= atMs) return;
    const overdue = setAtMs !== null && setAtMs <= nowMs;
    await this.at(trace, overdue ? Math.min(atMs, nowMs + 1) : atMs);
  }

  /** Sets the alarm to exactly `atMs`. The platform takes no time before 1970, and rings at once for all that is past. */
  async at(trace: Trace, atMs: number, options: DurableObjectSetAlarmOptions = {}): Promise<void> {
    await trace.span('storage.alarm', () => this.#storage.setAlarm(Math.max(atMs, 1), options));
    this.#setAtMs = atMs;
  }

  /** The same, of an alarm that did not ring since it was set last. */
  async moveTo(trace: Trace, atMs: number): Promise<void> {
    if (atMs !== this.#setAtMs) await this.at(trace, atMs);
  }

  /**
   * Moves the alarm to `atMs` where an earlier one would find nothing due: no answer waits for that. An object that is busy
   * does so once a minute, and keeps the earlier alarm for what it does next.
   */
  async putOff(trace: Trace, atMs: number, nowMs: number): Promise<void> {
    const setAtMs = await this.#read(trace);
    if (setAtMs === null || setAtMs >= atMs) return this.moveTo(trace, atMs);
    if (nowMs < this.#putOffAtMs + MINUTE_MS) return;
    this.#putOffAtMs = nowMs;
    await this.at(trace, atMs, { allowUnconfirmed: true });
  }

  /** Deletes the alarm: nothing is due. */
  async off(trace: Trace): Promise<void> {
    await trace.span('storage.alarm', () => this.#storage.deleteAlarm());
    this.#setAtMs = null;
  }

  async #read(trace: Trace): Promise<number | null> {
    if (this.#setAtMs === undefined) {
      this.#setAtMs = await trace.span('storage.alarm', () => this.#storage.getAlarm());
    }
    return this.#setAtMs;
  }
}
