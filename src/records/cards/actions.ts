import { type CardFacts, factsOfLastDigits } from '../../core/cardNumbers.ts';
import { digestOf } from '../../core/digest.ts';
import { type Failure, fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { monthHasEnded } from '../../core/time.ts';
import type { Gateway } from '../../gateways/gateway.ts';
import type { CardEntry, CardReport, DescribedCard } from '../../gateways/vault.ts';
import type { Database } from '../../platform/db/database.ts';
import { newReference } from '../../platform/ids.ts';
import type { About } from '../../platform/log.ts';
import type { Trace } from '../../platform/trace.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { appendEntry } from '../history/append.ts';
import { notVaulted } from './notVaulted.ts';
import { NOT_VIRTUAL } from './rules/virtual.ts';
import { renewalOf } from './rules.ts';
import { updateCard } from './store.ts';
import { eventCardView } from './views.ts';

/** How and when the service got a card. */
export type Kept = Pick<
  CardRow,
  'propertyId' | 'enteredBy' | 'enteredToPay' | 'requestId' | 'createdAtMs'
>;

/** What storing a card in a vault works with. `about` names the request in the log. */
export interface VaultWork {
  readonly gateway: Gateway;
  /** Whether the cardholder typed the card into a page of ours. */
  readonly isPresent: boolean;
  readonly trace: Trace;
  readonly about: About;
}

/**
 * Stores a card in the gateway's vault, and returns the row to save: this service's token, the vault's token, and what
 * people may see. Only `entry` holds the number and the CVV. `account` is the property's own gateway account, if any.
 * Fails with `card_declined` or `gateway_error`.
 */
export async function vaultCard(
  { gateway, isPresent, trace, about }: VaultWork,
  entry: CardEntry,
  facts: CardFacts,
  account: string | null,
  kept: Kept,
): Promise<Result<CardRow>> {
  const vaulted = await trace.span('gateway.tokenize', () =>
    gateway.tokenize(entry, account, isPresent),
  );
  if (vaulted.kind !== 'vaulted') return err(notVaulted(vaulted, gateway.name, about));
  const { gatewayToken, traits } = vaulted;
  const { expiryMonth, expiryYear, holderName } = entry;
  const card = { facts, traits, expiryMonth, expiryYear, holderName };
  return ok(rowOf(newReference(), gateway.name, { gatewayToken, account }, card, kept));
}

/**
 * Takes over a card that the acquirer keeps already, under a token of this service's, and returns the row to save. Fails
 * with `validation_failed` if the account has no such card, `card_expired`, `card_declined` or `gateway_error`.
 */
export async function takeOverCard(
  { gateway, trace, about }: Omit<VaultWork, 'isPresent'>,
  id: string,
  account: string | null,
  kept: Kept,
): Promise<Result<CardRow>> {
  const taken = await trace.span('gateway.tokenize', () => gateway.takeOver(id, account));
  if (taken.kind === 'absent') {
    const message = `The acquirer has no such card to charge: ${taken.refusal.reason}.`;
    return err(faultyToken('invalid_value', message));
  }
  if (taken.kind !== 'vaulted') return err(notVaulted(taken, gateway.name, about));
  const { card, gatewayToken } = taken;
  if (monthHasEnded(card.expiryYear, card.expiryMonth, 'Etc/GMT+12', kept.createdAtMs)) {
    return err(faultyToken('card_expired', 'The card has expired.'));
  }
  return ok(rowOf(newReference(), gateway.name, { gatewayToken, account }, card, kept));
}

function faultyToken(code: string, message: string): Failure {
  return fieldFailure([{ field: 'gatewayToken', code, message }]);
}

/** A card as the acquirer keeps it; `account` is null for the platform's. */
interface AcquirersCard {
  readonly gatewayToken: string;
  readonly account: string | null;
}

/**
 * The row of a card from the acquirer's own form. Its token is derived from the vault's token, so that a repeated
 * submission, such as a reloaded page, gives the same card.
 */
export async function elementCardRow(
  gateway: Gateway['name'],
  theirs: AcquirersCard,
  card: DescribedCard,
  kept: Kept,
): Promise<CardRow> {
  return rowOf(await derivedToken(theirs.gatewayToken), gateway, theirs, card, kept);
}

/** The row of a card that belongs to no booking yet. */
function rowOf(
  token: string,
  gateway: Gateway['name'],
  { gatewayToken, account: gatewayAccount }: AcquirersCard,
  { facts, traits, ...described }: DescribedCard,
  kept: Kept,
): CardRow {
  const unused = { ...NOT_VIRTUAL, autoChargeId: null, dueAtMs: null };
  const ours = { token, bookingReference: null, removedAtMs: null, detachedAtMs: null, ...unused };
  const theirs = { gateway, gatewayToken, gatewayAccount };
  return { ...kept, ...facts, ...traits, ...described, ...ours, ...theirs };
}

/** A token that follows from the vault's token: 32 hex digits. */
function derivedToken(gatewayToken: string): Promise<string> {
  return digestOf(gatewayToken, 16);
}

/** The row of a card that only the acquirer knows, as it describes the card now. It belongs to no booking. */
export async function storedCardRow(
  gateway: Gateway['name'],
  gatewayToken: string,
  { brand, expiryMonth, expiryYear, last4 }: Extract<CardReport, { kind: 'card' }>,
  kept: Pick<Kept, 'propertyId' | 'createdAtMs'>,
): Promise<CardRow> {
  // A vault's token begins with its account, as the column of cards reads it.
  const account = gatewayToken.slice(0, Math.max(0, gatewayToken.indexOf('/'))) || null;
  const traits = { funding: 'unknown', issuerCountry: null } as const;
  const facts = factsOfLastDigits(brand, last4);
  const card = { facts, traits, expiryMonth, expiryYear, holderName: null };
  const entered = { ...kept, enteredBy: 'api', enteredToPay: false, requestId: null } as const;
  return elementCardRow(gateway, { gatewayToken, account }, card, entered);
}

/** What looking at a card works with. `nowMs` is what its property's clock shows. */
export interface LooseCardWork {
  readonly database: Database;
  readonly gateway: Gateway;
  readonly trace: Trace;
  readonly nowMs: number;
  readonly timeZone: string;
  readonly currency: string;
}

/** Takes over what the acquirer says of a card that belongs to no booking. False if the acquirer does not say. */
export async function refreshLooseCard(
  { database, gateway, trace, nowMs, timeZone, currency }: LooseCardWork,
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
        snapshot: { card: eventCardView({ ...card, ...renewal }, { currency, timeZone }) },
        timeZone,
      },
    }),
  ]);
  return true;
}
