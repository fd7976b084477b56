import type { DisputeReport } from '../gateways/gateway.ts';
import { fewAtOnce } from '../platform/fewAtOnce.ts';
import { accountOf, askForPayment, readCharges } from './ask.ts';
import { type Left, noteLeft, progressOf, recordExceptions, runAfter } from './progress.ts';
import {
  type Confirmation,
  confirm,
  type Difference,
  type OurCharge,
  type TheirRecord,
} from './rules/differences.ts';
import { markRows, selectLastScanned, selectUnconfirmed } from './store.ts';
import type { LeasedRun, Paged, ReconciliationWork } from './work.ts';

/** How many movements one page reads, and how many of them it looks for at the acquirer. */
const SCANNED = 1_000;
const LOOKED_FOR = 50;

/** What looking for one charge at the acquirer came to. */
interface LookedFor {
  readonly confirmation: Confirmation;
  readonly charge: OurCharge;
}

/**
 * Looks for one page of our movements at the acquirer: those that its list of movements did not have. Where the acquirer
 * had all, that is one round trip.
 */
export async function confirmOurs(work: ReconciliationWork, leased: LeasedRun): Promise<Paged> {
  const { closed, run, saved } = progressOf(work, leased);
  const [isSaved, , rows, [lastScanned]] = await work.database.batch('d1.reconciliation.save', [
    saved,
    closed,
    selectUnconfirmed(work, run, SCANNED, LOOKED_FOR),
    selectLastScanned(work, run, SCANNED),
  ]);
  if (isSaved.length === 0) return { kind: 'lost' };
  const ids = [...new Set(rows.map(({ transactionId }) => transactionId))];
  const looked = await lookForAll(work, ids);
  const differences = looked.flatMap(({ charge, confirmation }): Difference[] => {
    const { bookingReference, propertyId } = charge.transaction;
    return confirmation.differences.map((found) => ({ ...found, propertyId, bookingReference }));
  });
  await recordExceptions(work, differences);
  await noteLeft(
    work,
    run,
    rows.flatMap((row) => leftOf(row, looked)),
  );
  const last = rows.length === LOOKED_FOR ? rows.at(-1) : lastScanned;
  const key = last && [last.propertyId, last.occurredAtMs, last.bookingReference, last.sequence];
  const next = runAfter(run, key ? JSON.stringify(key) : null, work.counts);
  const confirmed = looked.flatMap(({ confirmation }) => confirmation.confirmed);
  const agreed = confirmed.flatMap(({ gatewayReference }) => gatewayReference ?? []);
  return { kind: 'done', leased: { run: next, agreed } };
}

/** What is left of a movement that was looked for: its charge had no answer, or differs. */
function leftOf(
  { occurredAtMs: atMs, transactionId }: { occurredAtMs: number; transactionId: number },
  looked: readonly LookedFor[],
): Left[] {
  const found = looked.find(({ charge }) => charge.transaction.id === transactionId);
  if (!found) return [{ difference: null, atMs }];
  return found.confirmation.differences.map((difference) => ({ difference, atMs }));
}

/** Looks for charges by their ids; leaves out those for which the acquirer gave no answer. */
async function lookForAll(work: ReconciliationWork, ids: readonly number[]): Promise<LookedFor[]> {
  const charges = await readCharges(work, ids);
  const looked = await fewAtOnce([...charges.values()], (charge) => lookFor(work, charge));
  const confirmed = looked.flatMap((one) => one?.confirmation.confirmed ?? []);
  if (confirmed.length > 0) {
    const { database } = work;
    await database.batch('d1.reconciliation.save', [markRows(confirmed, work.now())]);
  }
  return looked.filter((one) => one !== null);
}

/** Compares one charge with the acquirer's record of it. If they differ, the booking reads that record first. */
async function lookFor(work: ReconciliationWork, charge: OurCharge): Promise<LookedFor | null> {
  const theirs = await theirRecord(work, charge);
  if (theirs === null) return null;
  const confirmation = confirm(charge, theirs);
  if (confirmation.differences.length === 0) return { confirmation, charge };
  const { transaction } = charge;
  const account = accountOf(work, charge) ?? null;
  const payment = theirs.payment?.id ?? transaction.gatewayReference;
  const asked = await askForPayment(work, transaction, account, payment);
  if (asked.kind === 'unanswered') return null;
  const after = (await readCharges(work, [transaction.id])).get(transaction.id) ?? charge;
  // A correction may be that the charge is another payment.
  const isCorrected = asked.kind === 'asked' && asked.isCorrected;
  const now = isCorrected ? await theirRecord(work, after) : theirs;
  return now && { confirmation: confirm(after, now), charge: after };
}

/** Asks the acquirer for the payment of a charge and for its disputes; null if it does not answer all. */
async function theirRecord(
  work: ReconciliationWork,
  charge: OurCharge,
): Promise<TheirRecord | null> {
  const account = accountOf(work, charge) ?? null;
  const { gatewayReference } = charge.transaction;
  const { counts, gateway, trace } = work;
  counts.calls += 1;
  const payment =
    gatewayReference === null
      ? { kind: 'absent' as const }
      : await trace.span('gateway.payment', () => gateway.payment(gatewayReference, account));
  if (payment.kind === 'unknown') return null;
  const disputes = new Map<string, DisputeReport>();
  for (const id of new Set(charge.rows.flatMap(({ disputeId }) => disputeId ?? []))) {
    counts.calls += 1;
    const report = await trace.span('gateway.dispute', () => gateway.dispute(id, account));
    if (report.kind === 'unknown') return null;
    disputes.set(id, report);
  }
  return { payment: payment.kind === 'payment' ? payment.payment : null, disputes };
}
