import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { askForPayment, correctionsOf, inGroups } from './ask.ts';
import { accountOf, readCharges } from './charges.ts';
import type { OurCharge } from './rules.ts';
import { selectDoubtfulHolds } from './store.ts';
import type { ReconciliationWork } from './work.ts';

/** For how many holds one run asks. They are few: most outcomes are certain. */
const ASKED = 200;

/**
 * Asks the acquirer for holds whose outcome was not known and which count as failed since, by an administrator's word or
 * because the acquirer did not have them: one that is held there moves no money that a list would show.
 */
export async function refreshEndedHolds(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<{ readonly corrected: number; readonly calls: number }> {
  const { database } = work;
  const [doubtful] = await database.batch('d1.reconciliation.read', [
    selectDoubtfulHolds(database.queries, run, ASKED),
  ]);
  const charges = await readCharges(
    work,
    doubtful.map(({ id }) => id),
  );
  const ofAccount = [...charges.values()].filter((one) => accountOf(work, one) === run.account);
  const asked = await inGroups(ofAccount, async (charge) => {
    const payment = await findHold(work, charge);
    const { transaction } = charge;
    return payment === null
      ? 0
      : correctionsOf(await askForPayment(work, transaction, run.account, payment));
  });
  return { corrected: asked.reduce((sum, corrected) => sum + corrected, 0), calls: asked.length };
}

/** The acquirer's id of the hold that was sent; null if there is none, or it does not say. */
async function findHold(
  { gateway, now, trace }: ReconciliationWork,
  { gatewayToken, transaction }: OurCharge,
): Promise<string | null> {
  const { askedAtMs, createdAtMs, gatewayKey, propertyId, reference } = transaction;
  if (gatewayKey === null || gatewayToken === null) return null;
  const found = await trace.span('gateway.lookUp', () =>
    gateway.lookUp({
      kind: 'authorization',
      idempotencyKey: gatewayKey,
      propertyId,
      reference,
      gatewayToken,
      gatewayReference: null,
      sinceMs: askedAtMs ?? createdAtMs,
      untilMs: now(),
    }),
  );
  return found.kind === 'approved' ? found.gatewayReference : null;
}
