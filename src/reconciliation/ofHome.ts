import { inArray } from 'drizzle-orm';
import type { GatewayMovement } from '../gateways/movements.ts';
import { queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { homes } from '../schema/homeTables.ts';
import { properties } from '../schema/propertyTables.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { selectPropertiesOf } from './store.ts';
import type { ReconciliationWork } from './work.ts';

/**
 * The movements that a run of a database compares, where several databases have properties on one account: those of its own
 * properties. What names no property that there is, the first of these databases compares.
 */
export async function ofThisDatabase(
  { accounts, database, home }: ReconciliationWork,
  { account, propertyId }: ReconciliationRunRow,
  movements: readonly GatewayMovement[],
): Promise<readonly GatewayMovement[]> {
  if (!database.isMany || propertyId !== null || movements.length === 0) return movements;
  const names = [...new Set(movements.flatMap((one) => nameIn(one) ?? []))];
  const [inDirectory, elsewhere] = await database.directory.batch('d1.reconciliation.read', [
    queries
      .select({ id: properties.id })
      .from(properties)
      .where(inArray(properties.id, listed(names))),
    queries
      .select()
      .from(homes)
      .where(inArray(homes.propertyId, listed(names))),
  ]);
  const [first] = database.each;
  const homeOf = new Map([
    ...inDirectory.map(({ id }) => [id, first.name] as const),
    ...elsewhere.map((one) => [one.propertyId, one.database] as const),
  ]);
  const isKnown = (one: GatewayMovement) => homeOf.has(nameIn(one) ?? '');
  const ofOthers = movements.every(isKnown)
    ? null
    : await firstHomeOf({ accounts, database }, account);
  return movements.filter((one) => (homeOf.get(nameIn(one) ?? '') ?? ofOthers) === home);
}

/** The first database that has a property on an account. */
async function firstHomeOf(
  { accounts, database }: Pick<ReconciliationWork, 'accounts' | 'database'>,
  account: string | null,
): Promise<string | null> {
  const found = await database.everywhere('d1.reconciliation.read', [
    selectPropertiesOf(accounts, account, null, 1),
  ]);
  const at = found.findIndex(([properties]) => properties.length > 0);
  return database.each[at]?.name ?? null;
}

/** Whether an account has exactly one property that it could be of, over all databases; its id. */
export async function onlyPropertyOf(
  { accounts, database }: ReconciliationWork,
  account: string | null,
): Promise<string | null> {
  const all = await database.rowsAnywhere(
    'd1.reconciliation.read',
    selectPropertiesOf(accounts, account, null, 2),
  );
  return all.length === 1 ? (all[0]?.id ?? null) : null;
}

/** The property that the acquirer names as a movement's; null if it names none. */
export function nameIn({ about, propertyId }: GatewayMovement): string | null {
  return about?.propertyId ?? propertyId ?? null;
}
