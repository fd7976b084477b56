import type { DisputePage, ListedDispute, MovementQuery } from '../gateways/movements.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { askForDispute, correctionsOf, inGroups } from './ask.ts';
import { accountOf, readCharges } from './charges.ts';
import { selectUnknownDisputes } from './store.ts';
import type { ReconciliationWork } from './work.ts';

/** How many pages of disputes one run reads at most. */
const PAGES = 10;

/** What asking came to: corrections made, and calls of bookings and acquirers. */
interface Found {
  corrected: number;
  calls: number;
}

/**
 * Asks the acquirer for the disputes that were opened in the run's span, and has bookings read those that are not here.
 * An inquiry withdraws nothing, so that no movement tells of it. What the acquirer does not list now, the next run reads.
 */
export async function findNewDisputes(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<Found> {
  const found: Found = { corrected: 0, calls: 0 };
  const { account, fromMs, toMs } = run;
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES; pages += 1) {
    const query: MovementQuery = { account, fromMs, toMs, cursor };
    const page: DisputePage = await work.trace.span('gateway.dispute', () =>
      work.gateway.disputes(query),
    );
    found.calls += 1;
    if (page.kind === 'unknown') break;
    const { calls, corrected } = await readUnknown(work, run, page.disputes);
    found.calls += calls;
    found.corrected += corrected;
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return found;
}

async function readUnknown(
  work: ReconciliationWork,
  { account, propertyId }: ReconciliationRunRow,
  listed: readonly ListedDispute[],
): Promise<Found> {
  if (listed.length === 0) return { corrected: 0, calls: 0 };
  const { database } = work;
  const [unknown] = await database.batch('d1.reconciliation.read', [
    selectUnknownDisputes(database.queries, listed, propertyId),
  ]);
  const ids = [...new Set(unknown.map(({ transactionId }) => transactionId))];
  const charges = await readCharges(work, ids);
  const asked = await inGroups(unknown, async ({ id, transactionId }) => {
    const charge = charges.get(transactionId);
    if (!charge || accountOf(work, charge) !== account) return 0;
    return correctionsOf(await askForDispute(work, charge.transaction, account, id));
  });
  return { corrected: asked.reduce((sum, corrected) => sum + corrected, 0), calls: asked.length };
}
