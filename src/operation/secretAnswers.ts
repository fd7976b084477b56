import { ok } from '../core/result.ts';
import { fingerprint, sameFingerprint } from '../platform/crypto/fingerprint.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import { seal, unseal } from '../platform/crypto/seal.ts';
import type { D1Span, Database, Statement } from '../platform/db/database.ts';
import { violatesUnique } from '../platform/db/errors.ts';
import { busy } from '../records/bookings/rules.ts';
import { LIVES } from '../records/keyring/lives.ts';
import { type Answered, type CallerKey, KEY_REUSED } from './idempotency.ts';
import {
  forgetSecretAnswers,
  insertSecretAnswer,
  type SecretKeyName,
  selectSecretAnswer,
} from './idempotencyStore.ts';
import { refusal } from './reply.ts';

/** How long a retry under the same key gets the first answer with its secret. */
const KEPT_MS = LIVES.secret_answer;

export interface SecretWork {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clientId: string;
  /** Whose secret it is; null for what belongs to no property. */
  readonly propertyId: string | null;
  readonly requestId: string;
  readonly nowMs: number;
  /** Null without an idempotency key. */
  readonly caller: CallerKey | null;
}

/** A new secret: the answer that shows it, and the statements that save it. */
interface MadeSecret<T extends object> {
  readonly span: D1Span;
  readonly save: readonly [Statement, ...Statement[]];
  readonly answer: T;
}

/**
 * Saves a new secret, once per idempotency key: within 24 hours the same request under the same key gets the first
 * answer again, with the first secret. The batch that saves the secret also keeps the answer, sealed, so that a lost
 * answer loses no secret. A refused request takes no key. Throws D1's refusal of `save`.
 */
export async function saveSecret<T extends object>(
  work: SecretWork,
  made: MadeSecret<T>,
): Promise<Answered<T>> {
  const { caller, database, nowMs, requestId } = work;
  const { answer, span, save } = made;
  const fresh = { answer: ok<T>(answer), requestId, replayed: false };
  if (caller === null) {
    await database.batch(span, save);
    return fresh;
  }
  const row = await sealedRow(work, caller, answer);
  try {
    await database.batch(span, [
      forgetSecretAnswers(nowMs - KEPT_MS),
      insertSecretAnswer(row),
      ...save,
    ]);
    return fresh;
  } catch (error) {
    if (!violatesUnique(error, 'secret_answers.')) throw error;
    return replay(work, caller);
  }
}

async function sealedRow(work: SecretWork, caller: CallerKey, answer: object) {
  const name = keyName(work, caller);
  return {
    ...name,
    propertyId: work.propertyId,
    fingerprint: await fingerprint(work.keyring, caller.request),
    answerSealed: await seal(
      work.keyring,
      'secret-answer',
      contextOf(name),
      JSON.stringify(answer),
    ),
    createdAtMs: work.nowMs,
  };
}

/** The answer that a key was given, with its secret; `busy` where none is kept, or none any more. */
export async function replay<T extends object>(
  work: SecretWork,
  caller: CallerKey,
): Promise<Answered<T>> {
  const { database, keyring, requestId } = work;
  const name = keyName(work, caller);
  const [[row]] = await database.batch('d1.answer.find', [selectSecretAnswer(name)]);
  // The 24 hours ended between the two round trips.
  if (!row) return refusal(work, busy());
  const same = await sameFingerprint(keyring, row.fingerprint, caller.request);
  if (!same) return refusal(work, KEY_REUSED);
  const text = await unseal(keyring, 'secret-answer', contextOf(name), row.answerSealed);
  if (text === null) throw new Error('a kept answer with a secret cannot be decrypted');
  return { answer: ok(JSON.parse(text) as T), requestId, replayed: true };
}

function keyName({ clientId }: SecretWork, { key, operation }: CallerKey): SecretKeyName {
  return { clientId, operation, key };
}

/** A JSON list, so that no key can pass for another client's or operation's. */
function contextOf({ clientId, key, operation }: SecretKeyName): string {
  return JSON.stringify([clientId, operation, key]);
}
