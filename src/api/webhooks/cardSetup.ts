import { callBooking } from '../../booking/stub.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { CardElement, CardPurpose, ReportedSetup } from '../../gateways/cardElement.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import type { Trace } from '../../platform/trace.ts';
import { keepRequestedCard } from '../../records/cardRequests/actions.ts';
import { elementCardRow } from '../../records/cards/actions.ts';
import { isToPay } from '../../records/cards/rules.ts';
import { findCard } from '../../records/cards/store.ts';
import { selectOfAccount } from '../../records/properties/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';

export interface CardSetupWork {
  readonly env: Env;
  readonly database: Database;
  readonly trace: Trace;
  /** The acquirer's card form; null where guests use this service's own form. */
  readonly cardElement: CardElement | null;
  readonly requestId: string;
}

/**
 * Saves the card of a guest who confirmed it at the bank and did not come back (stripe: Cards). The page that the guest
 * comes back to saves the same card: its token follows from the acquirer's, so that whoever is second finds it. False if
 * the setup is not one of this service's pages, or not of the property's account.
 */
export async function keepCardSetup(
  work: CardSetupWork,
  id: string,
  account: string | null,
): Promise<Result<boolean>> {
  const { cardElement, trace } = work;
  if (cardElement === null) return ok(false);
  const reported = await trace
    .span('gateway.tokenize', () => cardElement.setup(id, account))
    .catch(() => 'unknown' as const);
  if (reported === 'unknown') return refuse('gateway_error', 'The gateway did not answer.');
  if (reported === null || !(await isOfAccount(work, reported.purpose, account))) return ok(false);
  const card = await cardOf(cardElement, reported, account);
  if (card === null) return ok(true);
  const kept = await keep(work, reported.purpose, card);
  if (kept.ok) return ok(true);
  // The request has its card, or the booking is gone: sending the event again would change nothing.
  const { code } = kept.error;
  return code === 'invalid_state' || code === 'booking_not_found' ? ok(true) : kept;
}

/**
 * Whether the property's cards are or were on this account: a guest may have begun before it changed. The owner of
 * another account can write any property into a setup.
 */
async function isOfAccount(
  { database }: CardSetupWork,
  { propertyId }: CardPurpose,
  account: string | null,
): Promise<boolean> {
  const [[property]] = await database
    .of(propertyId)
    .batch('d1.property.find', [selectOfAccount(propertyId, account)]);
  return property !== undefined;
}

async function cardOf(
  { gateway }: CardElement,
  { atMs, outcome, purpose }: ReportedSetup,
  account: string | null,
): Promise<CardRow | null> {
  if (outcome.kind !== 'vaulted') return null;
  const { gatewayToken } = outcome;
  const { enteredBy, propertyId, requestId } = purpose;
  const enteredToPay = isToPay(purpose.agreement);
  const kept = { propertyId, enteredBy, enteredToPay, requestId, createdAtMs: atMs };
  return elementCardRow(gateway, { gatewayToken, account }, outcome.card, kept);
}

async function keep(
  work: CardSetupWork,
  purpose: CardPurpose,
  card: CardRow,
): Promise<Result<CardRow>> {
  const { requestId } = work;
  const { bookingReference: reference, propertyId } = purpose;
  const database = work.database.of(propertyId);
  if (reference === null) {
    const known = await findCard(database, propertyId, card.token);
    return known === null ? keepRequestedCard(database, card) : ok(known);
  }
  const context = { propertyId, reference, requestId, actor: 'guest' };
  const { agreement } = purpose;
  const { answer } = await callBooking(work, context, 'attachCard', { card, agreement });
  return answer;
}
