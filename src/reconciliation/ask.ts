import type { BookingCall } from '../booking/operations.ts';
import { callBooking } from '../booking/stub.ts';
import type { Origin } from '../gateways/movements.ts';
import { aboutBooking, logError, logWarning } from '../platform/log.ts';
import type { OurCharge } from './rules/differences.ts';
import { selectCharges, selectMovements, selectRefunds } from './store.ts';
import type { ReconciliationWork } from './work.ts';

/** Reads charges with all their movements and refunds, by their ids. One round trip, none without ids. */
export async function readCharges(
  { database }: ReconciliationWork,
  ids: readonly number[],
): Promise<Map<number, OurCharge>> {
  if (ids.length === 0) return new Map();
  const [charges, rows, refunds] = await database.batch('d1.reconciliation.read', [
    selectCharges(ids),
    selectMovements(ids),
    selectRefunds(ids),
  ]);
  const rowsOf = Map.groupBy(rows, ({ transactionId }) => transactionId);
  const refundsOf = Map.groupBy(refunds, ({ transactionId }) => transactionId);
  return new Map(
    charges.map(({ gatewayToken, transaction }) => [
      transaction.id,
      {
        transaction,
        gatewayToken,
        rows: rowsOf.get(transaction.id) ?? [],
        refunds: refundsOf.get(transaction.id) ?? [],
      },
    ]),
  );
}

/** The same of one account of the acquirer's. */
export async function readChargesOn(
  work: ReconciliationWork,
  account: string | null,
  rows: readonly { readonly id: number }[],
): Promise<OurCharge[]> {
  const ids = rows.map(({ id }) => id);
  const charges = await readCharges(work, ids);
  return [...charges.values()].filter((charge) => accountOf(work, charge) === account);
}

/** The acquirer's account that a charge is on; undefined for a charge without a card. */
export function accountOf(
  { gateway }: ReconciliationWork,
  { gatewayToken }: OurCharge,
): string | null | undefined {
  return gatewayToken === null ? undefined : gateway.accountOf(gatewayToken);
}

/**
 * What became of asking a booking to read the acquirer's record of a charge, which counts what it corrected:
 * - `asked`: it did; `isCorrected` says whether that took any correction;
 * - `absent`: the acquirer certainly has no such payment or dispute of this charge;
 * - `unanswered`: it could not be asked, or the acquirer did not answer. The next run asks again.
 */
export type Asked =
  | { readonly kind: 'asked'; readonly isCorrected: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unanswered' };

/** What a booking is asked about: a charge that it has, or one that the acquirer names as its own. */
type AskedOf = Origin & { readonly id?: number };

/**
 * Asks a booking to read the acquirer's record of a charge's payment, and to correct its own: it takes over one that it
 * lacks. `payment` is null where the acquirer's id of it is not known.
 */
export function askForPayment(
  work: ReconciliationWork,
  charge: AskedOf,
  account: string | null,
  payment: string | null,
): Promise<Asked> {
  if (payment === null) return Promise.resolve({ kind: 'absent' });
  const reported = { reference: charge.reference, account, payment };
  return ask(work, charge, 'refreshFromGateway', reported);
}

/** Asks the booking of a charge to read the acquirer's record of a dispute. */
export function askForDispute(
  work: ReconciliationWork,
  charge: AskedOf,
  account: string | null,
  disputeId: string,
): Promise<Asked> {
  const reported = { reference: charge.reference, disputeId, account };
  return ask(work, charge, 'refreshDispute', reported);
}

async function ask(
  work: ReconciliationWork,
  { bookingReference, id, propertyId }: AskedOf,
  ...[name, reported]: BookingCall<'refreshFromGateway' | 'refreshDispute'>
): Promise<Asked> {
  const { counts, requestId } = work;
  counts.calls += 1;
  const context = { propertyId, reference: bookingReference, requestId, actor: 'gateway' };
  const about = { ...aboutBooking(context), operation: id };
  try {
    const { answer } = await callBooking(work, context, name, reported);
    if (answer.ok) {
      const { corrected } = answer.value;
      counts.corrected += corrected;
      return { kind: 'asked', isCorrected: corrected > 0 };
    }
    if (answer.error.code === 'transaction_not_found') return { kind: 'absent' };
    logWarning('reconciliation_unanswered', { ...about, why: answer.error.code });
  } catch (error) {
    logError('reconciliation_unanswered', error, about);
  }
  return { kind: 'unanswered' };
}
