import { logWarning } from '../platform/log.ts';
import { afterFailure, type Breaker, CLOSED, capacity } from './breaker.ts';
import type { AttemptKind, Outgoing } from './outgoing.ts';
import type { RetryTiming } from './retries.ts';

/** One attempt to deliver something. */
export interface Attempt {
  /** The booking that it is about. */
  readonly lane: string;
  /** Whether it tests if the receiver is up again. */
  readonly isProbe: boolean;
}

/** The health of a receiver during one run: follows each delivery, and is stored for the next run. */
export class ReceiverHealth {
  readonly #receiver: Pick<Outgoing<never>, 'host' | 'logged'>;
  readonly #keep: (breaker: Breaker) => Promise<void>;
  #breaker: Breaker;

  constructor(
    receiver: Pick<Outgoing<never>, 'host' | 'logged'>,
    breaker: Breaker,
    keep: (breaker: Breaker) => Promise<void>,
  ) {
    this.#receiver = receiver;
    this.#breaker = breaker;
    this.#keep = keep;
  }

  /** Whether the receiver counts as down, so that each message is a probe. */
  get isDown(): boolean {
    return this.#breaker.kind === 'open';
  }

  /** When the next probe may go out; 0 while the receiver is up. */
  get probeAtMs(): number {
    return this.#breaker.kind === 'open' ? this.#breaker.probeAtMs : 0;
  }

  /** How many messages may be under way at once, at this time. */
  capacity(nowMs: number): number {
    return capacity(this.#breaker, nowMs);
  }

  /** Updates the health after a delivery, and stores a change. */
  async record(kind: AttemptKind, { lane, isProbe }: Attempt, timing: RetryTiming): Promise<void> {
    if (kind === 'unsent') return;
    const before = this.#breaker;
    this.#breaker = kind === 'unreachable' ? afterFailure(before, lane, isProbe, timing) : CLOSED;
    if (JSON.stringify(before) === JSON.stringify(this.#breaker)) return;
    if (before.kind !== this.#breaker.kind) {
      const { host, logged } = this.#receiver;
      logWarning(this.isDown ? logged.down : logged.up, { host });
    }
    await this.#keep(this.#breaker);
  }
}
