import type { Gateway } from '../../gateways/gateway.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Trace } from '../../platform/trace.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { appendEntry } from '../history/append.ts';
import { renewalOf } from './rules.ts';
import { updateCard } from './store.ts';
import { eventCardView } from './views.ts';

/** What looking at a card works with. `nowMs` is what its property's clock shows. */
export interface LooseCardWork {
  readonly database: Database;
  readonly gateway: Gateway;
  readonly trace: Trace;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Takes over what the acquirer says of a card that belongs to no booking. False if the acquirer does not say. */
export async function refreshLooseCard(
  { database, gateway, trace, nowMs, timeZone }: LooseCardWork,
  card: CardRow,
): Promise<boolean> {
  const report = await trace.span('gateway.card', () => gateway.card(card.gatewayToken));
  const renewal = renewalOf(card, report);
  if (renewal === null) return report.kind !== 'unknown';
  const { propertyId, token } = card;
  await database.batch('d1.card.save', [
    updateCard(card, renewal),
    ...appendEntry({
      propertyId,
      bookingReference: null,
      atMs: nowMs,
      actor: 'gateway',
      subject: { kind: 'card', id: token },
      event: {
        type: 'card.updated',
        snapshot: { card: eventCardView({ ...card, ...renewal }) },
        timeZone,
      },
    }),
  ]);
  return true;
}
