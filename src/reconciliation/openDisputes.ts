import { MINUTE_MS } from '../core/time.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { askForDispute, correctionsOf, inGroups } from './ask.ts';
import { accountOf, readCharges } from './charges.ts';
import { countOpenDisputes, selectOpenDisputes } from './store.ts';
import type { ReconciliationWork } from './work.ts';

/** How many open disputes one run asks for. Where there are more, each minute has others. */
const ASKED = 500;

/**
 * Asks the acquirer for every open dispute: one that is lost, or answered, moves no money that a list would show. Returns
 * how many were corrected, and how many bookings were asked.
 */
export async function refreshOpenDisputes(
  work: ReconciliationWork,
  { account, propertyId }: ReconciliationRunRow,
): Promise<{ readonly corrected: number; readonly calls: number }> {
  const { database } = work;
  const { queries } = database;
  const [[counted]] = await database.batch('d1.reconciliation.read', [
    countOpenDisputes(queries, propertyId),
  ]);
  const many = counted?.many ?? 0;
  if (many === 0) return { corrected: 0, calls: 0 };
  const pages = Math.ceil(many / ASKED);
  const offset = ASKED * (Math.floor(work.now() / MINUTE_MS) % pages);
  const [open] = await database.batch('d1.reconciliation.read', [
    selectOpenDisputes(queries, propertyId, { limit: ASKED, offset }),
  ]);
  const ids = [...new Set(open.map(({ transactionId }) => transactionId))];
  const charges = await readCharges(work, ids);
  const asked = await inGroups(open, async ({ id, transactionId }) => {
    const charge = charges.get(transactionId);
    if (!charge || accountOf(work, charge) !== account) return 0;
    return correctionsOf(await askForDispute(work, charge.transaction, account, id));
  });
  return { corrected: asked.reduce((sum, corrected) => sum + corrected, 0), calls: open.length };
}
