import { hex } from '../../core/ids.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { askFor } from '../gateway/operation.ts';
import { readPayment } from '../payments/correct.ts';
import { takeOver } from '../payments/takeOver.ts';
import type { Recovery } from './situation.ts';

/**
 * The reference of the charge that a recovery makes next on a card. It follows from the charge that it replaces, the card
 * and the number of tries on it: made again after D1 was restored, it is the reference that it had (interface: Recovery).
 */
export async function replacementReference(
  { charge, facts }: Recovery,
  cardToken: string,
): Promise<string> {
  const tries = facts.transactions.filter(
    (row) => row.replacesCharge === charge.id && row.cardToken === cardToken,
  );
  const text = `${charge.reference} ${cardToken} ${tries.length + 1}`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hex(new Uint8Array(digest).subarray(0, 16));
}

/**
 * Looks for a recovery's charge at the acquirer before it is made: D1 may have been restored to a time before it. One
 * that was taken is taken over. `made` where it is here now, `unknown` where the acquirer does not say.
 */
export async function findSameCharge(
  work: BookingWork,
  { charge, row }: Recovery,
  card: CardRow,
  reference: string,
): Promise<'made' | 'absent' | 'unknown'> {
  const found = await askFor(work, {
    kind: 'charge',
    idempotencyKey: null,
    propertyId: work.propertyId,
    reference,
    gatewayToken: card.gatewayToken,
    gatewayReference: null,
    sinceMs: row.createdAtMs,
    untilMs: work.now(),
  });
  if (found.kind === 'absent') return 'absent';
  if (found.kind !== 'approved' || found.gatewayReference === null) return 'unknown';
  const report = await readPayment(work, found.gatewayReference, card.gatewayToken);
  if (report.kind !== 'payment') return 'unknown';
  const { description, id: replacesCharge, purpose } = charge;
  const account = work.gateway.accountOf(card.gatewayToken);
  const known = { description, replacesCharge, purpose };
  const taken = await takeOver(work, { payment: report.payment, account }, known);
  return taken === 'taken' ? 'made' : 'unknown';
}
