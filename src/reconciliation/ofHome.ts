import { inArray } from 'drizzle-orm';
import type { GatewayMovement } from '../gateways/movements.ts';
import { queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
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
  if (!database.isMany || propertyId !== null) return movements;
  const names = [...new Set(movements.flatMap((one) => nameIn(one) ?? []))];
  const found = await database.everywhere('d1.reconciliation.read', [
    selectKnown(names),
    selectPropertiesOf(accounts, account, null, 1),
  ]);
  const homes = new Map(found.flatMap(([known], at) => known.map(({ id }) => [id, at] as const)));
  const own = database.each.findIndex(({ name }) => name === home);
  const first = found.findIndex(([, ofAccount]) => ofAccount.length > 0);
  return movements.filter((one) => {
    const at = homes.get(nameIn(one) ?? '') ?? first;
    return at === own;
  });
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

function nameIn({ about, propertyId }: GatewayMovement): string | null {
  return about?.propertyId ?? propertyId ?? null;
}

function selectKnown(names: readonly string[]) {
  return queries
    .select({ id: properties.id })
    .from(properties)
    .where(inArray(properties.id, listed(names)));
}
