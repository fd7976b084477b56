import { and, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import type { Result } from '../../core/result.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { refusedByGuard, violatesUnique } from '../../platform/db/errors.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { onCurrent } from '../../platform/db/retryWhenStale.ts';
import { merchantAccounts, type PropertyRow, properties } from '../../schema/propertyTables.ts';
import { recoveries } from '../../schema/recoveryTables.ts';
import { expiryWarningMs } from './rules.ts';

export function selectProperty(id: string) {
  return propertyById({ id });
}

const propertyById = prepared<{ readonly id: string }>()(({ id }) =>
  queries.select().from(properties).where(eq(properties.id, id)),
);

/** Finds a property; null if there is none. One round trip. */
export async function findProperty(database: Database, id: string): Promise<PropertyRow | null> {
  const [[property]] = await database.of(id).batch('d1.property.find', [selectProperty(id)]);
  return property ?? null;
}

/** What the clock of a selected property shows at a real time: `propertyTime` in SQL. */
export function propertyTimeAt(realMs: number | Placeholder): SQL {
  const { clockAheadMs, clockFrozenAtMs } = properties;
  return sql`coalesce(max(${clockFrozenAtMs}, ${realMs}), ${realMs} + ${clockAheadMs})`;
}

/** Refuses the batch as stale unless a condition holds, by the guard of the property's version. Changes nothing. */
export function staleUnless(propertyId: string, condition: SQL) {
  const { id, version } = properties;
  return queries
    .update(properties)
    .set({ version: sql`${version}` })
    .where(and(eq(id, propertyId), sql`NOT (${condition})`));
}

/**
 * Selects a property if it has or had this account at the acquirer. On the platform's own account (null) this service
 * alone writes: whatever it holds there for a property is the property's.
 */
export function selectOfAccount(id: string, account: string | null) {
  const hadAccount = sql`EXISTS (SELECT 1 FROM merchant_accounts WHERE property_id = ${id} AND account = ${account})`;
  return queries
    .select({ id: properties.id })
    .from(properties)
    .where(and(eq(properties.id, id), account === null ? undefined : hadAccount));
}

/** Selects how a property's clock runs, and which endpoints get its events. */
export const selectClock = prepared<{ readonly id: string }>()(({ id }) =>
  queries
    .select({
      ...pick(properties, 'version', 'clockAheadMs', 'clockFrozenAtMs', 'webhookEndpoints'),
    })
    .from(properties)
    .where(eq(properties.id, id)),
);

/** A property whose clock does not show real time, and how that runs. */
export type MovedClock = Pick<PropertyRow, 'id' | 'clockAheadMs' | 'clockFrozenAtMs'>;

/** Selects the properties whose clock does not show real time. */
export function selectMovedClocks() {
  return queries
    .select({
      ...pick(properties, 'id', 'clockAheadMs', 'clockFrozenAtMs'),
    })
    .from(properties)
    .where(sql`${properties.clockAheadMs} > 0 OR ${properties.clockFrozenAtMs} IS NOT NULL`);
}

/** Moves a property's clock. Whatever was decided by the clock before is decided again: the version grows. */
export function moveClock(
  id: string,
  clock: Pick<PropertyRow, 'clockAheadMs' | 'clockFrozenAtMs'>,
) {
  return queries
    .update(properties)
    .set({ ...clock, version: sql`${properties.version} + 1` })
    .where(eq(properties.id, id));
}

/** Selects the properties whose PMS has this user name, or only the property `id` if it has. */
export function selectByPmsUser(username: string, id?: string) {
  const hasName = eq(properties.pmsUsername, username);
  return queries
    .select()
    .from(properties)
    .where(id === undefined ? hasName : and(eq(properties.id, id), hasName));
}

export function insertProperty(row: PropertyRow) {
  return queries.insert(properties).values(row);
}

/** Keeps a property's account among those that it has or had, for the batch that saves the property. */
export function keepAccount({ id, merchantAccount }: PropertyRow) {
  return queries
    .insert(merchantAccounts)
    .select(sql`SELECT ${id}, ${merchantAccount} WHERE ${merchantAccount} IS NOT NULL`)
    .onConflictDoNothing();
}

/** Changes a property. A trigger refuses another currency once a booking exists. */
export function updateProperty(row: PropertyRow) {
  const { id, createdAtMs: _fixed, ...changes } = row;
  return queries.update(properties).set(changes).where(eq(properties.id, id));
}

/** Plans the reminders about cards that will have expired again, where a guest of the property has had none yet. */
export function replanExpiryWarnings(
  { id, cardRecovery }: Pick<PropertyRow, 'id' | 'cardRecovery'>,
  nowMs: number,
) {
  return queries
    .update(recoveries)
    .set({
      dueAtMs: sql`${recoveries.chargeAtMs} - ${expiryWarningMs(cardRecovery)}`,
      changedAtMs: nowMs,
      version: sql`${recoveries.version} + 1`,
    })
    .where(
      and(
        eq(recoveries.propertyId, id),
        eq(recoveries.cause, 'expiring'),
        eq(recoveries.askedForCause, 0),
        isNull(recoveries.endedAtMs),
      ),
    );
}

/** Decides a change of a property and saves it. If another change came in between, decides again. */
export function onCurrentProperty<T>(decide: () => Promise<Result<T>>): Promise<Result<T>> {
  return onCurrent('property', wasOvertaken, decide);
}

function wasOvertaken(error: unknown): boolean {
  return (
    refusedByGuard(error, 'stale_state') ||
    violatesUnique(error, 'properties.id') ||
    violatesUnique(error, 'settings_changes.')
  );
}
