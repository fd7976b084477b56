import { DAY_MS, offsetTimestamp } from '../../core/time.ts';
import type { PaymentRecord } from '../../gateways/gateway.ts';
import { commit } from '../../operation/commit.ts';
import { type BookingWork, bookingState } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { insertCard } from '../../records/cards/store.ts';
import { feeTermsFor } from '../../records/properties/rules/feeTerms.ts';
import { priceTaken } from '../../records/properties/rules/takenPrice.ts';
import { selectOfAccount } from '../../records/properties/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { ownTransaction, paymentCommand } from './charge.ts';
import { asGateway, cardOfPayment } from './correct.ts';
import { insertWrite } from './entries.ts';
import { withEffects } from './gatewayOperation.ts';
import { correction } from './rules/corrections.ts';
import type { TransactionCommand } from './rules/newTransaction.ts';
import { selectTransactions } from './store.ts';
import { recordedAnswer } from './views.ts';

/** What this service knows of a charge that it does not have any more. */
export type KnownOfCharge = Partial<
  Pick<TransactionCommand, 'purpose' | 'description' | 'replacesCharge'>
>;

/**
 * What became of it: `taken` is a record of the booking now; `not-ours` is none of this booking, or cannot be known for
 * one; `unknown`: the acquirer did not say what card it is on.
 */
export type TakenOver = 'taken' | 'not-ours' | 'unknown';

/** How long a hold counts whose end the acquirer does not tell. */
const HOLD_MS = 7 * DAY_MS;

/**
 * Takes over a payment that the acquirer names as this booking's and that is not here: D1 was restored to a time before
 * it (interface: Corrections). It keeps its reference and gets the fees that the property's rules make of its amount.
 * Throws if D1 does not commit it.
 */
export async function takeOver(
  work: BookingWork,
  { payment, account }: { readonly payment: PaymentRecord; readonly account: string | null },
  known: KnownOfCharge = {},
): Promise<TakenOver> {
  const state = await bookingState(work);
  if (!state || !(await isMissing(work, state, payment, account))) return 'not-ours';
  const found = await cardOfPayment(work, payment);
  if (found.kind !== 'card') return found.kind === 'unknown' ? 'unknown' : 'not-ours';
  const { card, isNew } = found;
  if (work.gateway.accountOf(card.gatewayToken) !== account) return 'not-ours';
  const row = rowOf(work, state, payment, card, known);
  // Only a hold that counted as failed is corrected to be held.
  const change = correction(state, { ...row, status: 'Failed' }, payment, work.now());
  if (change === null) return 'not-ours';
  const { row: after, writes } = await withEffects(asGateway(work), { state, row, card }, change, {
    why: 'taken over from the record of the gateway',
    answerOf: (taken) => recordedAnswer(taken, card, state.property.timeZone),
  });
  if (after.dueAtMs !== null) await work.wakeBy(after.dueAtMs);
  await commit(work, 'd1.transaction.apply', [
    ...(isNew ? [insertCard(card)] : []),
    insertWrite(asGateway(work), { after: row, atMs: row.createdAtMs, isQuiet: true }),
    ...writes,
  ]);
  return 'taken';
}

/** Whether the acquirer names a payment of this booking, on an account of its property, of which nothing is here. */
async function isMissing(
  { database, propertyId, reference }: BookingWork,
  { booking }: BookingState,
  { about, currency, gatewayReference, id, status }: PaymentRecord,
  account: string | null,
): Promise<boolean> {
  const isNamed = about?.propertyId === propertyId && about.bookingReference === reference;
  const isHere = status === 'taken' || status === 'held';
  if (!isNamed || !isHere || currency !== booking.currency || !OWN.test(about.reference)) {
    return false;
  }
  const [[property], all] = await database.batch('d1.transaction.read', [
    selectOfAccount(propertyId, account),
    selectTransactions({ propertyId, reference }),
  ]);
  // It may have been named by hand for another record.
  const isKnown = all.some(
    (row) =>
      row.reference === about.reference ||
      row.gatewayReference === id ||
      row.gatewayReference === gatewayReference,
  );
  return property !== undefined && !isKnown;
}

/** How this service writes its references. */
const OWN = /^[0-9a-f]{32}$/;

/** The row as it was while its outcome was not known. */
function rowOf(
  work: BookingWork,
  state: BookingState,
  payment: PaymentRecord,
  card: CardRow,
  known: KnownOfCharge,
): TransactionRow {
  const { about, askedMinor, atMs, idempotencyKey, lapsesAtMs, status, takenMinor } = payment;
  const isHeld = status === 'held';
  const endsAtMs = lapsesAtMs ?? work.now() + HOLD_MS;
  const purpose = known.purpose ?? 'Manual';
  const virtualCard = card.virtual !== null;
  const { terms } = feeTermsFor(state.property, { ...card, virtual: virtualCard }, purpose, atMs);
  const priced = priceTaken(isHeld ? askedMinor : takenMinor, terms);
  const body = { amount: priced.requestedMinor, token: card.token, transactionType: purpose };
  const kind = isHeld ? 'authorization' : 'charge';
  const text = offsetTimestamp(endsAtMs, state.property.timeZone);
  const time = isHeld ? { text, atMs: endsAtMs } : null;
  const command = paymentCommand(body, kind, time, payment.currency, null);
  const named = { ...command, ...known, purpose, transactionReference: about?.reference ?? '' };
  const row = ownTransaction(work, state, named, card, { priced, terms, warnings: [] });
  return { ...row, gatewayKey: idempotencyKey ?? row.gatewayKey };
}
