import type { PaymentRecord } from '../../gateways/gateway.ts';
import type { CardReport } from '../../gateways/vault.ts';
import type { BookingWork } from '../../operation/work.ts';
import { storedCardRow } from '../../records/cards/actions.ts';
import { insertCard, selectByGatewayToken } from '../../records/cards/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';

/**
 * The card that a payment is on: `isNew` if it is not in D1. `absent`: on none that this service could charge; `unknown`:
 * the acquirer did not say.
 */
export type CardOfPayment =
  | { readonly kind: 'card'; readonly card: CardRow; readonly isNew: boolean }
  | { readonly kind: 'absent' | 'unknown' };

/** Finds the card of a payment. One that is not here is as the acquirer has it, and belongs to no booking. */
export async function cardOfPayment(
  work: BookingWork,
  { gatewayToken }: PaymentRecord,
): Promise<CardOfPayment> {
  const { database, gateway, propertyId, trace } = work;
  if (gatewayToken === null) return { kind: 'absent' };
  const [cards] = await database.batch('d1.card.find', [
    selectByGatewayToken(database.queries, gatewayToken),
  ]);
  const known = cards.find((card) => card.propertyId === propertyId);
  if (known) return { kind: 'card', card: known, isNew: false };
  const report = await trace
    .span('gateway.card', () => gateway.card(gatewayToken))
    .catch((): CardReport => ({ kind: 'unknown', reason: 'the call failed' }));
  if (report.kind !== 'card') return { kind: report.kind };
  const kept = { propertyId, createdAtMs: work.now() };
  const card = await storedCardRow(gateway.name, gatewayToken, report, kept);
  return { kind: 'card', card, isNew: true };
}

/**
 * The card that was charged: `asked`, or one that D1 does not know for this booking any more, and that is kept now. Null if
 * the acquirer does not say.
 */
export async function chargedCard(
  work: BookingWork,
  asked: CardRow,
  payment: PaymentRecord,
): Promise<CardRow | null> {
  if (payment.gatewayToken === asked.gatewayToken) return asked;
  const found = await cardOfPayment(work, payment);
  if (found.kind !== 'card') return found.kind === 'absent' ? asked : null;
  const { queries } = work.database;
  if (found.isNew) await work.database.batch('d1.card.save', [insertCard(queries, found.card)]);
  return found.card;
}
