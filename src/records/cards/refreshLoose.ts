import type { Gateway } from '../../gateways/gateway.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Trace } from '../../platform/trace.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { recordEvent } from '../events/record.ts';
import { renewalOf } from './renewed.ts';
import { updateCard } from './store.ts';

/** What looking at a card works with. `nowMs` is what its property's clock shows. */
export interface LooseCardWork {
  readonly database: Database;
  readonly gateway: Gateway;
  readonly trace: Trace;
  readonly nowMs: number;
}

/** Takes over what the acquirer says of a card that belongs to no booking. False if the acquirer does not say. */
export async function refreshLooseCard(
  { database, gateway, trace, nowMs }: LooseCardWork,
  card: CardRow,
): Promise<boolean> {
  const report = await trace.span('gateway.card', () => gateway.card(card.gatewayToken));
  const renewal = renewalOf(card, report);
  if (renewal === null) return report.kind !== 'unknown';
  const { queries } = database;
  const { propertyId, token: cardToken } = card;
  const about = { propertyId, bookingReference: null, atMs: nowMs };
  await database.batch('d1.card.save', [
    updateCard(queries, card, renewal),
    recordEvent(queries, { ...about, type: 'card.updated', cardToken }),
  ]);
  return true;
}
