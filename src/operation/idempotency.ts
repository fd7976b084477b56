import { type Failure, failure, type JsonObject } from '../core/failure.ts';
import { err, type Result } from '../core/result.ts';
import { fingerprint, sameFingerprint } from '../platform/crypto/fingerprint.ts';
import type { Finds, Statement } from '../platform/db/database.ts';
import { busy } from '../records/bookings/rules.ts';
import {
  answerOf,
  type IdempotencyRow,
  type IdempotentOperation,
  type KeyName,
  keepAnswer,
  keyIsTaken,
  packedAnswer,
  selectKey,
  takeKey,
} from './idempotencyStore.ts';
import type { BookingWork } from './work.ts';

/** A caller's idempotency key, with the validated request that carried it. */
export interface CallerKey {
  readonly operation: IdempotentOperation;
  readonly key: string;
  readonly request: JsonObject;
  /** Set when the request came too late: the failure to answer, unless its key already has an answer. */
  readonly tooLate?: Failure;
}

/** What keys need of an operation's work; operations on no single booking have it, too. */
export type KeyWork = Pick<
  BookingWork,
  'propertyId' | 'requestId' | 'database' | 'trace' | 'keyring' | 'now'
>;

/** An answer. `requestId` is the id of the request that got this answer first. */
export interface Answered<T> {
  readonly answer: Result<T>;
  readonly requestId: string;
  readonly replayed: boolean;
}

/** A fresh answer to this request. */
export function answered<T>(work: KeyWork, answer: Result<T>): Answered<T> {
  return { answer, requestId: work.requestId, replayed: false };
}

/** Thrown by {@link requireFreshKey}; {@link once} answers it. */
class KeyTaken extends Error {}

/** A caller's key, if there is one, that is taken with what it asked for. */
export interface TakenKey {
  readonly caller: CallerKey | null;
  /** The reference of what a repeated request is answered by. */
  readonly commandReference: string | null;
  /** The answer, where it is known already. */
  readonly answer: Result<unknown> | null;
}

/** What takes a caller's key, if there is one. */
export async function takeKeyOf(
  work: KeyWork,
  { answer, caller, commandReference }: TakenKey,
): Promise<Statement[]> {
  return caller === null ? [] : [takeKey(await keyRow(work, caller, commandReference, answer))];
}

async function keyRow(
  work: KeyWork,
  caller: CallerKey,
  commandReference: string | null,
  answer: Result<unknown> | null,
): Promise<IdempotencyRow> {
  const name = keyName(work, caller);
  return {
    ...name,
    fingerprint: await fingerprint(work.keyring, caller.request),
    requestId: work.requestId,
    commandReference,
    answer: answer && packedAnswer(answer, { ...name, commandReference }),
    createdAtMs: work.now(),
  };
}

function keyName(work: KeyWork, caller: Pick<CallerKey, 'operation' | 'key'>): KeyName {
  return { propertyId: work.propertyId, operation: caller.operation, key: caller.key };
}

/** Throws if the caller's key is taken. For operations that write something before the batch that takes the key. */
export async function requireFreshKey(work: KeyWork, caller: CallerKey): Promise<void> {
  const [[row]] = await work.database.batch('d1.answer.find', [selectKey(keyName(work, caller))]);
  if (row) throw new KeyTaken();
}

/** Makes the answer of an operation whose answer is not kept with its key. */
export interface Resolved<T, Found> {
  /** What is read together with the key. */
  readonly reads?: (name: KeyName) => Finds<Found>;
  readonly answer: (row: IdempotencyRow, found: readonly Found[]) => Promise<Result<T>>;
}

/**
 * Gives every request with the same key the operation's first answer (interface: Idempotency). The operation's own
 * batch takes the key, so a first request costs no extra round trip. `resolved` makes the answer of an operation whose
 * answer is not kept, or not yet.
 */
export async function once<T, Found>(
  work: KeyWork,
  caller: CallerKey | null,
  operation: () => Promise<Result<T>>,
  resolved: Resolved<T, Found>,
): Promise<Answered<T>> {
  if (caller?.tooLate) {
    const earlier = await replay(work, caller, resolved);
    return earlier ?? answered(work, err(caller.tooLate));
  }
  try {
    const answer = await operation();
    if (caller && !answer.ok && recordedNothing(answer.error) && isFinal(answer.error)) {
      await keepFirst(work, caller, null, answer);
    }
    return answered(work, answer);
  } catch (error) {
    const wasTaken = error instanceof KeyTaken || keyIsTaken(error);
    if (!caller || !wasTaken) throw error;
    const first = await replay(work, caller, resolved);
    if (!first) throw new Error('a taken idempotency key is missing', { cause: error });
    return first;
  }
}

/**
 * The same for an operation outside of a booking's object that changes nothing when it is repeated: after a crash, the
 * same key may carry it out again.
 */
export function onceBeside<T>(
  work: KeyWork,
  caller: CallerKey | null,
  operation: () => Promise<Result<T>>,
): Promise<Answered<T>> {
  const kept = () => keptOnce(work, caller, operation);
  return once(work, caller, kept, { answer: async () => err(busy()) });
}

/** Does an operation whose key is taken with its answer, once it has succeeded. */
export async function keptOnce<T>(
  work: KeyWork,
  caller: CallerKey | null,
  operation: () => Promise<Result<T>>,
): Promise<Result<T>> {
  if (caller) await requireFreshKey(work, caller);
  const answer = await operation();
  if (caller && answer.ok) await keepFirst(work, caller, null, answer);
  return answer;
}

/**
 * Keeps an answer that recorded no operation, so that a retry under the same key gets it too; null where a retry gets what
 * the record then says.
 */
export async function keepFirst(
  work: KeyWork,
  caller: CallerKey,
  commandReference: string | null,
  answer: Result<unknown> | null,
): Promise<void> {
  const row = await keyRow(work, caller, commandReference, answer);
  await work.database.batch('d1.answer.keep', [takeKey(row)]);
}

/** Whether a failure names nothing that the operation recorded: what it recorded keeps its answer. */
function recordedNothing({ members }: Failure): boolean {
  const { dispute, refunds, transaction } = members ?? {};
  return transaction === undefined && refunds === undefined && dispute === undefined;
}

/** Whether a failure is kept. A temporary one recorded nothing: the caller may retry it under the same key. */
function isFinal({ code }: Failure): boolean {
  return code !== 'busy' && code !== 'rate_limited' && code !== 'outcome_unknown';
}

/** The first answer to a request with this key; null if the key was never taken. */
async function replay<T, Found>(
  work: KeyWork,
  caller: CallerKey,
  resolved: Resolved<T, Found>,
): Promise<Answered<T> | null> {
  // The first request may have taken effect: if a read fails, the answer must be `outcome_unknown`.
  work.trace.writeSent();
  const first = await readFirst(work, caller, resolved);
  // This one has recorded nothing.
  work.trace.writeRefused();
  return first;
}

async function readFirst<T, Found>(
  work: KeyWork,
  caller: CallerKey,
  { answer: answerFrom, reads }: Resolved<T, Found>,
): Promise<Answered<T> | null> {
  const name = keyName(work, caller);
  const [[row], found = []] = reads
    ? await work.database.batch('d1.answer.find', [selectKey(name), reads(name)])
    : await work.database.batch('d1.answer.find', [selectKey(name)]);
  if (!row) return null;
  if (!(await sameFingerprint(work.keyring, row.fingerprint, caller.request))) {
    return answered(work, err(KEY_REUSED));
  }
  const kept = answerOf(row) as Result<T> | null;
  const answer = kept ?? (await answerFrom(row, found));
  return { answer, requestId: row.requestId, replayed: true };
}

/** The statement that keeps a key's answer, for the batch that applies the operation's outcome. */
export function completeKey(
  work: KeyWork,
  caller: Pick<CallerKey, 'operation' | 'key'>,
  commandReference: string,
  answer: Result<unknown>,
) {
  return keepAnswer(keyName(work, caller), commandReference, answer);
}

/** The same key came with another request. */
export const KEY_REUSED = failure(
  'idempotency_key_reused',
  'This idempotency key was used for another request.',
);
