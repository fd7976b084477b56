import { and, eq, isNull } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';
import { idempotencyKeys } from '../db/recordTables.ts';
import { columnsOf, remembered, type Slotted } from '../db/remembered.ts';

/** The operations that honour an idempotency key; a key means something else to each. */
export type IdempotentOperation =
  | 'create'
  | 'schedule'
  | 'charge-pre-auth'
  | 'cancel-pre-auth'
  | 'cancel-schedule'
  | 'cancel-schedules'
  | 'refund';

/** What names one caller's key. */
export interface KeyName {
  readonly propertyId: string;
  readonly operation: IdempotentOperation;
  readonly key: string;
}

export type IdempotencyRow = typeof idempotencyKeys.$inferSelect;

/** Takes a key; the batch fails on the primary key when it was taken before. */
export const takeKey = remembered<IdempotencyRow>()((queries, row) =>
  queries.insert(idempotencyKeys).values(row),
);

/** Completes a key's answer once; a first answer is never replaced. */
export function keepAnswer(queries: Queries, name: KeyName, answer: string) {
  return completeAnswer(queries, { ...name, answer });
}

const completeAnswer = remembered<KeyName & { readonly answer: string }>()(
  (queries, { answer, ...name }) =>
    queries
      .update(idempotencyKeys)
      .set(columnsOf<{ answer: string }>({ answer }))
      .where(and(named(name), isNull(idempotencyKeys.answer))),
);

/** Selects what is kept under a key. */
export const selectKey = remembered<KeyName>()((queries, name) =>
  queries.select().from(idempotencyKeys).where(named(name)),
);

function named(name: Slotted<KeyName>) {
  return and(
    eq(idempotencyKeys.propertyId, name.propertyId),
    eq(idempotencyKeys.operation, name.operation),
    eq(idempotencyKeys.key, name.key),
  );
}
