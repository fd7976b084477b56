import type { Database } from '../platform/db/database.ts';
import type { About } from '../platform/log.ts';
import type { Sending } from './post.ts';
import type { RetryTiming } from './rules/retries.ts';
import type { Served } from './store.ts';

export interface DispatcherWork extends Served, Sending {
  readonly database: Database;
}

/**
 * The result of one attempt to deliver something. `refused`: the receiver does not accept it. `denied`: it does not take
 * the credentials. `unconfirmed`: any other answer. `unreachable`: no response, or a 5xx. `unsent`: the service could not
 * send it.
 */
export type AttemptKind =
  | 'confirmed'
  | 'refused'
  | 'denied'
  | 'unconfirmed'
  | 'unreachable'
  | 'unsent';

export interface Recording {
  /** Whether the receiver is still down, or still denies the credentials, so that the attempt does not count. */
  readonly isFailedProbe: boolean;
  /** Real time; while a property's clock is being advanced, what that shows. */
  readonly timing: RetryTiming;
}

/** What follows a recorded attempt. */
export interface Recorded<Item> {
  /** What its lane sends next, if that is due. */
  readonly next: Item | null;
  /** When it is sent again, as in {@link DuePage}; null if it is not. */
  readonly againAtMs: number | null;
}

export interface Attempted<Item> {
  readonly kind: AttemptKind;
  /** The delay that the receiver asked for; null if none. */
  readonly retryAfterMs: number | null;
  /** Records it in D1 and gives the turn to the next of its lane. */
  record(how: Recording): Promise<Recorded<Item>>;
}

/** Things that are due, the longest due first. */
export interface DuePage<Item> {
  readonly items: readonly Item[];
  /** Whether more may be due. */
  readonly hasMore: boolean;
  /** When the next one becomes due, by the clock of {@link RetryTiming}; null if none waits for its time. */
  readonly nextDueAtMs: number | null;
}

/** Whose credentials things are sent with, where a receiver serves several. It may deny those of one alone. */
export interface Accounts<Item> {
  of(item: Item): string;
  /** What the log calls an account that is denied, and one that is accepted again. */
  readonly logged: {
    readonly denied: 'pms_refuses_credentials';
    readonly accepted: 'pms_accepts_credentials';
  };
}

/**
 * What goes to one receiver: the messages to a PMS, the events to an endpoint. D1 has them. Of a lane, which is a booking,
 * one is under way at a time, and the next follows when that is done.
 */
export interface Outgoing<Item> {
  readonly host: string;
  /** What the log calls a receiver that is down, and one that is up again. */
  readonly logged: {
    readonly down: 'pms_down' | 'endpoint_down';
    readonly up: 'pms_up' | 'endpoint_up';
  };
  /** None where things are sent without credentials. */
  readonly accounts?: Accounts<Item>;
  laneOf(item: Item): string;
  /** What the log says of it. */
  about(item: Item): About;
  /** Reads what is due, but nothing of the accounts that are `blocked`. */
  readDue(nowMs: number, limit: number, blocked: readonly string[]): Promise<DuePage<Item>>;
  /** Sends it once; null if there is nothing to send it with. */
  send(item: Item): Promise<Attempted<Item> | null>;
}
