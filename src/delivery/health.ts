import { logWarning } from '../platform/log.ts';
import type { AttemptKind, Outgoing } from './outgoing.ts';
import { afterFailure, type Breaker, type Breakers, CLOSED, capacity } from './rules/breaker.ts';
import type { RetryTiming } from './rules/retries.ts';

export interface Attempt {
  /** The booking that it is about. */
  readonly lane: string;
  /** Whose credentials it has; null if it has none. */
  readonly account: string | null;
  /** Whether it tests if the receiver is up again, or takes the credentials again. */
  readonly isProbe: boolean;
}

/** The health of a receiver during one run: follows each delivery, and is stored for the next run. */
export class ReceiverHealth {
  readonly #receiver: Pick<Outgoing<never>, 'host' | 'logged' | 'accounts'>;
  readonly #keep: (breakers: Breakers) => Promise<void>;
  #breakers: Breakers;

  constructor(
    receiver: Pick<Outgoing<never>, 'host' | 'logged' | 'accounts'>,
    breakers: Breakers,
    keep: (breakers: Breakers) => Promise<void>,
  ) {
    this.#receiver = receiver;
    this.#breakers = breakers;
    this.#keep = keep;
  }

  /** When the next probe may go out; 0 while the receiver is up. */
  get probeAtMs(): number {
    return probeTime(this.#breakers.receiver);
  }

  /** When the account that is probed last may be; 0 while none is denied. */
  get lastAccountProbeAtMs(): number {
    return Math.max(0, ...Object.values(this.#breakers.accounts).map(probeTime));
  }

  /** When the next account may be probed that has to wait for it; null if none has. */
  nextAccountProbeAtMs(nowMs: number): number | null {
    const ahead = Object.values(this.#breakers.accounts)
      .map(probeTime)
      .filter((atMs) => atMs > nowMs);
    return ahead.length === 0 ? null : Math.min(...ahead);
  }

  /** Whether what is sent now tests if the receiver, or an account, works again. */
  isProbe(account: string | null): boolean {
    return this.#breakers.receiver.kind === 'open' || this.#ofAccount(account).kind === 'open';
  }

  /** How many messages may be under way at once, at this time. */
  capacity(nowMs: number): number {
    return capacity(this.#breakers.receiver, nowMs);
  }

  /** The accounts of which nothing may be sent now: they are denied, and not to be probed yet, or are being probed. */
  blocked(nowMs: number, underWay: readonly (string | null)[]): string[] {
    return Object.entries(this.#breakers.accounts)
      .filter(([account, breaker]) => {
        const isProbed = breaker.kind === 'open' && underWay.includes(account);
        return isProbed || capacity(breaker, nowMs) === 0;
      })
      .map(([account]) => account);
  }

  /** Updates the health after a delivery, and stores a change. Returns whether the attempt was a probe that failed. */
  async record(kind: AttemptKind, attempt: Attempt, timing: RetryTiming): Promise<boolean> {
    if (kind === 'unsent') return false;
    const before = this.#breakers;
    this.#breakers = {
      receiver: kind === 'unreachable' ? failed(before.receiver, attempt, timing) : CLOSED,
      accounts: this.#accountsAfter(kind, attempt, timing),
    };
    if (JSON.stringify(before) !== JSON.stringify(this.#breakers)) {
      this.#log(before, attempt.account);
      await this.#keep(this.#breakers);
    }
    const isFailure = kind === 'unreachable' || kind === 'denied';
    return isFailure && attempt.isProbe && this.isProbe(attempt.account);
  }

  /** A receiver that cannot be reached says nothing about an account, but ends its probe. */
  #accountsAfter(kind: AttemptKind, attempt: Attempt, timing: RetryTiming): Breakers['accounts'] {
    const { accounts } = this.#breakers;
    const { account } = attempt;
    if (account === null) return accounts;
    const known = this.#ofAccount(account);
    if (kind === 'denied' || (kind === 'unreachable' && known.kind === 'open')) {
      return withAccount(accounts, account, failed(known, attempt, timing));
    }
    return kind === 'unreachable' ? accounts : withAccount(accounts, account, CLOSED);
  }

  #ofAccount(account: string | null): Breaker {
    return (account !== null && this.#breakers.accounts[account]) || CLOSED;
  }

  #log(before: Breakers, account: string | null): void {
    const { accounts, host, logged } = this.#receiver;
    const { receiver } = this.#breakers;
    if (before.receiver.kind !== receiver.kind) {
      logWarning(receiver.kind === 'open' ? logged.down : logged.up, { host });
    }
    if (account === null || accounts === undefined) return;
    const [wasDenied, isDenied] = [account in before.accounts, account in this.#breakers.accounts];
    if (wasDenied === isDenied) return;
    const event = isDenied ? accounts.logged.denied : accounts.logged.accepted;
    logWarning(event, { host, property: account });
  }
}

function failed(breaker: Breaker, { isProbe, lane }: Attempt, timing: RetryTiming): Breaker {
  return afterFailure(breaker, lane, isProbe, timing);
}

function probeTime(breaker: Breaker): number {
  return breaker.kind === 'open' ? breaker.probeAtMs : 0;
}

/** The accounts with the breaker of one of them; one without failures is forgotten. */
function withAccount(
  accounts: Breakers['accounts'],
  account: string,
  breaker: Breaker,
): Breakers['accounts'] {
  const others = Object.entries(accounts).filter(([name]) => name !== account);
  return Object.fromEntries(breaker === CLOSED ? others : [...others, [account, breaker]]);
}
