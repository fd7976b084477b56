import type { BookingWork } from '../bookings/work.ts';
import { type Failure, failure, type JsonObject } from '../core/failure.ts';
import { err, type Result } from '../core/result.ts';
import { fingerprint, sameFingerprint } from '../crypto/fingerprint.ts';
import { violatesUnique } from '../db/errors.ts';
import {
  type IdempotencyRow,
  type IdempotentOperation,
  type KeyName,
  keepAnswer,
  selectKey,
  takeKey,
} from './store.ts';

/** A caller's idempotency key with the validated request that it was sent with. */
export interface CallerKey {
  readonly operation: IdempotentOperation;
  readonly key: string;
  readonly request: JsonObject;
  /** Set when the request came too late to be done: what it is answered, unless its key has an answer. */
  readonly tooLate?: Failure;
}

/** An answer, and whose: `requestId` is that of the request that was answered first. */
export interface Answered<T> {
  readonly answer: Result<T, Failure>;
  readonly requestId: string;
  readonly replayed: boolean;
}

/** A fresh answer to this request. */
export function answered<T>(work: BookingWork, answer: Result<T, Failure>): Answered<T> {
  return { answer, requestId: work.requestId, replayed: false };
}

/** Thrown inside a batch's caller when the key was taken before; caught by {@link once}. */
class KeyTaken extends Error {}

/** The row that takes a caller's key, for the batch that records the operation. */
export async function keyRow(
  work: BookingWork,
  caller: CallerKey,
  commandReference: string | null,
  answer: string | null,
): Promise<IdempotencyRow> {
  return {
    ...keyName(work, caller),
    fingerprint: await fingerprint(work.keyring, caller.request),
    requestId: work.requestId,
    commandReference,
    answer,
    createdAtMs: work.now(),
  };
}

/** What names a caller's key. */
function keyName(work: BookingWork, caller: Pick<CallerKey, 'operation' | 'key'>): KeyName {
  return { propertyId: work.propertyId, operation: caller.operation, key: caller.key };
}

/** Stops an operation whose key was taken before, for one that writes before its key is taken. */
export async function requireFreshKey(work: BookingWork, caller: CallerKey): Promise<void> {
  const [[row]] = await work.database.batch('d1.answer.find', [
    selectKey(work.database.queries, keyName(work, caller)),
  ]);
  if (row) throw new KeyTaken();
}

/** Turns the primary key's refusal of a taken key into what {@link once} understands. */
export function keyTakenOr(error: unknown): unknown {
  return violatesUnique(error, 'idempotency_keys.') ? new KeyTaken() : error;
}

/**
 * Gives an operation's first answer to every request with its key (decisions: section 4). The key is taken
 * by the operation's own batch, so the usual case costs no round trip; `resolved` tells how an operation
 * without a kept answer stands now.
 */
export async function once<T>(
  work: BookingWork,
  caller: CallerKey | null,
  operation: () => Promise<Result<T, Failure>>,
  resolved: (row: IdempotencyRow) => Promise<Result<T, Failure>>,
): Promise<Answered<T>> {
  if (caller?.tooLate) {
    const earlier = await replay(work, caller, resolved);
    return earlier ?? answered(work, err(caller.tooLate));
  }
  try {
    const answer = await operation();
    if (caller && !answer.ok && answer.error.members === undefined && isFinal(answer.error)) {
      await keepFirst(work, caller, null, answer);
    }
    return answered(work, answer);
  } catch (error) {
    if (!caller || !(error instanceof KeyTaken)) throw error;
    const first = await replay(work, caller, resolved);
    if (!first) throw new Error('a taken idempotency key is not there', { cause: error });
    return first;
  }
}

/** Answers that are given without recording an operation are kept too, so that the key keeps its meaning. */
export async function keepFirst(
  work: BookingWork,
  caller: CallerKey,
  commandReference: string | null,
  answer: Result<unknown, Failure>,
): Promise<void> {
  const row = await keyRow(work, caller, commandReference, JSON.stringify(answer));
  try {
    await work.database.batch('d1.answer.keep', [takeKey(work.database.queries, row)]);
  } catch (error) {
    throw keyTakenOr(error);
  }
}

/** What passes by itself recorded nothing, and may be tried again under its key. */
function isFinal({ code }: Failure): boolean {
  return code !== 'busy' && code !== 'rate_limited' && code !== 'outcome_unknown';
}

/** The first answer to a request with this key; null when there was none. */
async function replay<T>(
  work: BookingWork,
  caller: CallerKey,
  resolved: (row: IdempotencyRow) => Promise<Result<T, Failure>>,
): Promise<Answered<T> | null> {
  // The first request with this key did its part; a broken read may not deny it.
  work.trace.mayBeRecorded = true;
  const { queries } = work.database;
  const [[row]] = await work.database.batch('d1.answer.find', [
    selectKey(queries, keyName(work, caller)),
  ]);
  if (!row) return null;
  if (!(await sameFingerprint(work.keyring, row.fingerprint, caller.request))) {
    return answered(work, err(keyReused()));
  }
  const answer =
    row.answer === null ? await resolved(row) : (JSON.parse(row.answer) as Result<T, Failure>);
  return { answer, requestId: row.requestId, replayed: true };
}

/** The statement that completes a key's answer, for the batch that settles the operation. */
export function completeKey(
  work: BookingWork,
  caller: Pick<CallerKey, 'operation' | 'key'>,
  answer: Result<unknown, Failure>,
) {
  return keepAnswer(work.database.queries, keyName(work, caller), JSON.stringify(answer));
}

/** The same key came with another request. */
export function keyReused(): Failure {
  return failure('idempotency_key_reused', 'This idempotency key was used for another request.');
}
