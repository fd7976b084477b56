import type { CardRow } from '../schema/cardTables.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { askForPayment, correctionsOf, inGroups } from './ask.ts';
import { selectUnasked } from './store.ts';
import type { ReconciliationWork } from './work.ts';

/** For how many schedules one run asks. They are few: only a long outage leaves any. */
const ASKED = 200;

/** A schedule that ended unasked, and the cards that it may have been charged on. */
interface Unasked {
  readonly subject: string;
  readonly transaction: TransactionRow;
  readonly tokens: readonly CardRow['gatewayToken'][];
}

/** The result of asking: corrections made, subjects that agree now, and calls of bookings and acquirers. */
export interface Refreshed {
  readonly corrected: number;
  readonly agreed: readonly string[];
  readonly calls: number;
}

/**
 * Asks the acquirer for schedules that ended although it could not be asked. What it has is corrected; either way the
 * records agree then.
 */
export async function refreshUnasked(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<Refreshed> {
  const { database } = work;
  const [rows] = await database.batch('d1.reconciliation.read', [
    selectUnasked(database.queries, run, ASKED),
  ]);
  const unasked = [...Map.groupBy(rows, ({ subject }) => subject)].flatMap(([subject, of]) => {
    const [first] = of;
    const tokens = of.map(({ gatewayToken }) => gatewayToken);
    return first ? [{ subject, transaction: first.transaction, tokens }] : [];
  });
  const ofAccount = unasked.filter(({ tokens }) =>
    tokens.every((token) => work.gateway.accountOf(token) === run.account),
  );
  const asked = await inGroups(ofAccount, async (one) => ({
    one,
    answer: await ask(work, run, one),
  }));
  return {
    corrected: asked.reduce((sum, { answer }) => sum + (answer ?? 0), 0),
    agreed: asked.flatMap(({ answer, one }) => (answer === null ? [] : [one.subject])),
    calls: asked.length,
  };
}

/** How many corrections it took that the records agree; null if the acquirer did not say. */
async function ask(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  { tokens, transaction }: Unasked,
): Promise<number | null> {
  // Corrected since, by whatever news.
  if (transaction.status === 'Accepted') return 0;
  const { createdAtMs, propertyId, reference, scheduledAtMs } = transaction;
  for (const gatewayToken of tokens) {
    const found = await work.trace.span('gateway.lookUp', () =>
      work.gateway.lookUp({
        kind: 'charge',
        idempotencyKey: null,
        propertyId,
        reference,
        gatewayToken,
        gatewayReference: null,
        sinceMs: scheduledAtMs ?? createdAtMs,
        untilMs: Math.max(work.now(), run.toMs),
      }),
    );
    if (found.kind === 'approved') {
      const payment = found.gatewayReference;
      const asked = await askForPayment(work, transaction, run.account, payment);
      return asked.kind === 'asked' ? correctionsOf(asked) : null;
    }
    if (found.kind !== 'absent') return null;
  }
  return 0;
}
