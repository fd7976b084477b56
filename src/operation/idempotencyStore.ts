import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { packed, unpacked } from '../core/packed.ts';
import type { Result } from '../core/result.ts';
import { queries } from '../platform/db/database.ts';
import { violatesUnique } from '../platform/db/errors.ts';
import { columnsOf, prepared, type ValuesOrPlaceholders } from '../platform/db/prepared.ts';
import { idempotencyKeys, secretAnswers } from '../schema/recordTables.ts';

/** The operations that honour an idempotency key. Each has its own key space. */
export type IdempotentOperation =
  | 'create'
  | 'tokenize'
  | 'schedule'
  | 'charge-pre-auth'
  | 'cancel-pre-auth'
  | 'cancel-schedule'
  | 'cancel-schedules'
  | 'put-plan'
  | 'cancel-plan'
  | 'refund'
  | 'submit-dispute'
  | 'accept-dispute'
  | 'resolve'
  | 'apply-cancellation'
  | 'request-card'
  | 'make-link'
  | 'mail-link'
  | 'create-client'
  | 'create-export-user'
  | 'put-endpoint'
  | 'rotate-endpoint-secret'
  | 'repair-ledger'
  | 'import-statement';

export interface KeyName {
  readonly propertyId: string;
  readonly operation: IdempotentOperation;
  readonly key: string;
}

export type IdempotencyRow = typeof idempotencyKeys.$inferSelect;

/** Takes a key. The batch fails on the primary key if the key is taken. */
export const takeKey = prepared<IdempotencyRow>()((row) =>
  queries.insert(idempotencyKeys).values(row),
);

/** Takes a key for a card request, if the same batch recorded it: a request too many records nothing. */
export function takeKeyOfRequest(row: IdempotencyRow, requestId: string) {
  const { answer, commandReference, createdAtMs, fingerprint, key, operation, propertyId } = row;
  return queries
    .insert(idempotencyKeys)
    .select(
      sql`SELECT ${propertyId}, ${operation}, ${key}, ${fingerprint}, ${row.requestId}, ${commandReference}, ${answer}, ${createdAtMs} WHERE EXISTS (SELECT 1 FROM card_requests WHERE id = ${requestId})`,
    );
}

/** Whether a batch was refused because a key that it takes was taken before. */
export function keyIsTaken(error: unknown): boolean {
  return violatesUnique(error, 'idempotency_keys.');
}

/** The columns of a key that its answer repeats. */
type Repeated = Pick<IdempotencyRow, 'key' | 'commandReference'>;

export function packedAnswer(answer: Result<unknown>, of: Repeated): Uint8Array {
  return packed(answer, [of.key, of.commandReference]);
}

/** Reads the answer of a key; null while the operation runs. */
export function answerOf(row: IdempotencyRow): Result<unknown> | null {
  const { answer, key, commandReference } = row;
  return answer && (unpacked(answer, [key, commandReference]) as Result<unknown>);
}

/** Keeps a key's answer. A first answer is never replaced. */
export function keepAnswer(
  name: KeyName,
  commandReference: string | null,
  answer: Result<unknown>,
) {
  const { key } = name;
  return completeAnswer({
    ...name,
    answer: packedAnswer(answer, { key, commandReference }),
  });
}

const completeAnswer = prepared<KeyName & { readonly answer: Uint8Array }>()(
  ({ answer, ...name }) =>
    queries
      .update(idempotencyKeys)
      .set(columnsOf<{ answer: Uint8Array }>({ answer }))
      .where(and(named(name), isNull(idempotencyKeys.answer))),
);

export const selectKey = prepared<KeyName>()((name) =>
  queries.select().from(idempotencyKeys).where(named(name)),
);

/** Selects the reference of what a key's request asked for. */
export function selectCommand(name: KeyName) {
  const { commandReference } = idempotencyKeys;
  return queries.select({ commandReference }).from(idempotencyKeys).where(named(name));
}

function named(name: ValuesOrPlaceholders<KeyName>) {
  return and(
    eq(idempotencyKeys.propertyId, name.propertyId),
    eq(idempotencyKeys.operation, name.operation),
    eq(idempotencyKeys.key, name.key),
  );
}

/** How many of a property's keys one statement looks at. */
const KEYS_AT_ONCE = 1_000;

/** A place in the order of a property's keys. */
export type KeyPlace = Pick<KeyName, 'key'> & { readonly operation: string };

/** The keys of a property behind a place, as many as one statement looks at. */
function keysBehind(propertyId: string, { key, operation }: KeyPlace) {
  return sql`FROM idempotency_keys WHERE property_id = ${propertyId} AND (operation, key) > (${operation}, ${key}) ORDER BY operation, key`;
}

/** Selects where {@link deleteOldKeys} is to go on; nothing at the end. */
export function selectNextKeys(propertyId: string, after: KeyPlace) {
  const { key, operation } = idempotencyKeys;
  const at = sql`(SELECT operation, key ${keysBehind(propertyId, after)} LIMIT 1 OFFSET ${KEYS_AT_ONCE - 1})`;
  return queries
    .select({ operation, key })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.propertyId, propertyId), sql`(operation, key) = ${at}`));
}

/** Deletes those keys behind a place that were taken before an instant, with their answers. */
export function deleteOldKeys(propertyId: string, after: KeyPlace, beforeMs: number) {
  const some = sql`SELECT operation, key, created_at_ms ${keysBehind(propertyId, after)} LIMIT ${KEYS_AT_ONCE}`;
  return queries
    .delete(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.propertyId, propertyId),
        sql`(operation, key) IN (SELECT operation, key FROM (${some}) WHERE created_at_ms < ${beforeMs})`,
      ),
    );
}

/** The name of an administrator's key. */
export interface SecretKeyName {
  readonly clientId: string;
  readonly operation: IdempotentOperation;
  readonly key: string;
}

/** Takes a key with its sealed answer. The batch fails on the primary key if the key is taken. */
export function insertSecretAnswer(row: typeof secretAnswers.$inferInsert) {
  return queries.insert(secretAnswers).values(row);
}

export function selectSecretAnswer({ clientId, key, operation }: SecretKeyName) {
  return queries
    .select()
    .from(secretAnswers)
    .where(
      and(
        eq(secretAnswers.clientId, clientId),
        eq(secretAnswers.operation, operation),
        eq(secretAnswers.key, key),
      ),
    );
}

/** Deletes the answers that were made at a time or earlier, with their keys. */
export function forgetSecretAnswers(untilMs: number) {
  return queries.delete(secretAnswers).where(lte(secretAnswers.createdAtMs, untilMs));
}
