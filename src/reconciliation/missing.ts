import type { GatewayMovement, Origin } from '../gateways/movements.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { askForPayment, correctionsOf, inGroups } from './ask.ts';
import { selectKnownBookings, type Unmatched } from './store.ts';
import type { ReconciliationWork } from './work.ts';

/** The result of taking over: corrections made, and calls of bookings and acquirers. */
interface TakenOver {
  readonly corrected: number;
  readonly calls: number;
}

/**
 * Has bookings take over the payments that the acquirer names as theirs and that are not here, or whose refunds are not:
 * D1 was restored to a time before them. What cannot be taken over stays a difference.
 */
export async function takeOverMissing(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  movements: readonly GatewayMovement[],
  unmatched: readonly Unmatched[],
): Promise<TakenOver> {
  const named = new Map<string, Origin>();
  for (const { at, transactionId } of unmatched) {
    const movement = movements[at];
    if (transactionId !== null || !movement?.about || movement.payment === null) continue;
    named.set(movement.payment, movement.about);
  }
  if (named.size === 0) return { corrected: 0, calls: 0 };
  const { database } = work;
  const [bookings] = await database.batch('d1.reconciliation.read', [
    selectKnownBookings(database.queries, [...named.values()]),
  ]);
  const isKnown = ({ bookingReference, propertyId }: Origin) =>
    bookings.some((one) => one.propertyId === propertyId && one.reference === bookingReference);
  const wanted = [...named].filter(([, about]) => isKnown(about));
  const asked = await inGroups(wanted, ([payment]) => takeOver(work, run, payment));
  return { corrected: asked.reduce((sum, one) => sum + one, 0), calls: 2 * wanted.length };
}

/** The acquirer says whose a payment is: a refund names only itself. */
async function takeOver(
  work: ReconciliationWork,
  { account }: ReconciliationRunRow,
  payment: string,
): Promise<number> {
  const report = await work.trace.span('gateway.payment', () =>
    work.gateway.payment(payment, account),
  );
  const about = report.kind === 'payment' ? report.payment.about : null;
  return about ? correctionsOf(await askForPayment(work, about, account, payment)) : 0;
}
