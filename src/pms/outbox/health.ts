import { logWarning } from '../../platform/log.ts';
import { afterFailure, type Breaker, CLOSED, capacity } from './breaker.ts';
import type { Delivery } from './deliver.ts';
import type { RetryTiming } from './retries.ts';

/** One attempt to deliver a message. */
export interface Attempt {
  /** The booking of the message. */
  readonly booking: string;
  /** Whether it tests if the PMS is up again. */
  readonly isProbe: boolean;
}

/** The health of a PMS during one run: follows each delivery, and is stored for the next run. */
export class PmsHealth {
  readonly #host: string;
  readonly #keep: (breaker: Breaker) => Promise<void>;
  #breaker: Breaker;

  constructor(pmsUrl: string, breaker: Breaker, keep: (breaker: Breaker) => Promise<void>) {
    this.#host = new URL(pmsUrl).host;
    this.#breaker = breaker;
    this.#keep = keep;
  }

  /** Whether the PMS counts as down, so that each message is a probe. */
  get isDown(): boolean {
    return this.#breaker.kind === 'open';
  }

  /** When the next probe may go out; 0 while the PMS is up. */
  get probeAtMs(): number {
    return this.#breaker.kind === 'open' ? this.#breaker.probeAtMs : 0;
  }

  /** How many messages may be under way at once, at this time. */
  capacity(nowMs: number): number {
    return capacity(this.#breaker, nowMs);
  }

  /** Updates the health after a delivery, and stores a change. */
  async record(
    delivery: Delivery,
    { booking, isProbe }: Attempt,
    timing: RetryTiming,
  ): Promise<void> {
    if (delivery.kind === 'unsent') return;
    const before = this.#breaker;
    this.#breaker =
      delivery.kind === 'unreachable' ? afterFailure(before, booking, isProbe, timing) : CLOSED;
    if (JSON.stringify(before) === JSON.stringify(this.#breaker)) return;
    if (before.kind !== this.#breaker.kind) {
      logWarning(this.isDown ? 'pms_down' : 'pms_up', { host: this.#host });
    }
    await this.#keep(this.#breaker);
  }
}
