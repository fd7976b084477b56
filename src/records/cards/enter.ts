import { z } from 'zod';
import type { CardFacts } from '../../core/cardNumbers.ts';
import { type Failure, failure } from '../../core/failure.ts';
import type { Result } from '../../core/result.ts';
import { acquirerId } from '../../gateways/acquirerId.ts';
import type { CardElement, CardPurpose, ElementOutcome } from '../../gateways/cardElement.ts';
import { selectGateway } from '../../gateways/select.ts';
import type { CardEntry } from '../../gateways/vault.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import type { About } from '../../platform/log.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { Trace } from '../../platform/trace.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { elementCardRow, type Kept, vaultCard } from './actions.ts';
import { countCardEntry } from './entryLimit.ts';
import { notVaulted } from './notVaulted.ts';
import { type AgreementKind, agreementOf, isToPay } from './rules.ts';

/** What a card belongs to that a guest enters. */
export interface EntryPlace extends Omit<CardPurpose, 'propertyId' | 'agreement'> {
  readonly property: PropertyRow;
  /** What the page says that the card is kept for; its guest agrees to it. */
  readonly agreement: AgreementKind;
}

export interface EntryWork {
  readonly config: Config;
  readonly env: Env;
  readonly database: Database;
  readonly trace: Trace;
  /** The id of the HTTP request, for log lines. */
  readonly httpRequestId: string;
  readonly place: EntryPlace;
  /** Saves the card once the vault has it, with the name of what the guest agreed to. */
  readonly keep: (card: CardRow, agreement: string | null) => Promise<Result<unknown>>;
}

/** A card as a guest typed it, on its way to the vault. */
export interface TypedCard {
  readonly entry: CardEntry;
  readonly facts: CardFacts;
  readonly attempt: string;
}

type Form = Readonly<Record<string, string>>;

/** What a submitted card led to. */
export type Entered =
  | { readonly kind: 'added' }
  /** The guest sent the same form before, at `atMs`. If its card was saved, `atMs` is when the card was created. */
  | { readonly kind: 'repeated'; readonly atMs: number }
  | { readonly kind: 'too-many' }
  /** The guest's bank must verify them first, at this URL. */
  | { readonly kind: 'bank'; readonly url: string }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Sends a typed card to the vault and saves its token. The number appears in no answer and no log. */
export async function enterTypedCard(
  work: EntryWork,
  form: Form,
  { attempt, entry, facts }: TypedCard,
): Promise<Entered> {
  const { config, database, env, place, trace } = work;
  const atMs = propertyNow(place.property);
  const agreement = agreementOf(form, place.agreement);
  if (agreement === null) return notAgreed();
  const verdict = await countCardEntry(database, { attempt, ...entered(place), atMs });
  if (verdict.kind !== 'counted') return verdict;
  const vault = {
    gateway: selectGateway(config, env),
    isPresent: true,
    trace,
    about: aboutEntry(work),
  };
  const { merchantAccount } = place.property;
  const kept = keptOf(place, agreement, atMs);
  const vaulted = await vaultCard(vault, entry, facts, merchantAccount, kept);
  return vaulted.ok ? saved(work, vaulted.value, agreement) : failed(vaulted.error);
}

/** The fields that our script sends once the acquirer's form has taken a card. */
const elementForm = z.object({ attempt: z.uuid(), confirmationToken: acquirerId });

/** Saves a card that the acquirer's own form took. The bank sends guests back to `returnUrl`. */
export async function enterElementCard(
  work: EntryWork,
  element: CardElement,
  form: Form,
  returnUrl: string,
): Promise<Entered> {
  const sent = elementForm.safeParse(form);
  if (!sent.success) return NOT_TAKEN;
  const { place, trace } = work;
  const agreement = agreementOf(form, place.agreement);
  if (agreement === null) return notAgreed();
  const { attempt, confirmationToken } = sent.data;
  const { enteredBy, property, requestId } = place;
  const atMs = propertyNow(property);
  const verdict = await countCardEntry(work.database, { attempt, ...entered(place), atMs });
  if (verdict.kind === 'too-many') return verdict;
  // A repeated form continues: the acquirer recognises the attempt and gives its first answer.
  const outcome = await trace.span('gateway.tokenize', () =>
    element.keep({
      attempt,
      confirmationToken,
      purpose: { ...entered(place), requestId, enteredBy, agreement },
      account: property.merchantAccount,
      returnUrl,
    }),
  );
  return saveOutcome(work, element, outcome, atMs);
}

/** Saves the card of a guest who returns from their bank, by the id of its `setup`. Reloading the page saves it only once. */
export async function enterConfirmedCard(
  work: EntryWork,
  element: CardElement,
  setup: string | undefined,
): Promise<Entered> {
  const named = acquirerId.safeParse(setup);
  if (!named.success) return NOT_TAKEN;
  const { linkId, property } = work.place;
  const returned = { setup: named.data, account: property.merchantAccount, linkId };
  const outcome = await work.trace.span('gateway.tokenize', () => element.confirmed(returned));
  return saveOutcome(work, element, outcome, propertyNow(property));
}

async function saveOutcome(
  work: EntryWork,
  { gateway }: CardElement,
  outcome: ElementOutcome,
  nowMs: number,
): Promise<Entered> {
  if (outcome.kind === 'bank') return outcome;
  if (outcome.kind !== 'vaulted') return failed(notVaulted(outcome, gateway, aboutEntry(work)));
  const { agreement, card, gatewayToken } = outcome;
  const at = { gatewayToken, account: work.place.property.merchantAccount };
  const row = await elementCardRow(gateway, at, card, keptOf(work.place, agreement, nowMs));
  return saved(work, row, agreement);
}

/** Whose card is entered, through which link. */
function entered({ bookingReference, linkId, property }: EntryPlace) {
  return { linkId, propertyId: property.id, bookingReference };
}

function keptOf(
  { enteredBy, property, requestId }: EntryPlace,
  agreement: string | null,
  createdAtMs: number,
): Kept {
  const enteredToPay = isToPay(agreement);
  return { propertyId: property.id, enteredBy, enteredToPay, requestId, createdAtMs };
}

async function saved(
  { keep }: EntryWork,
  card: CardRow,
  agreement: string | null,
): Promise<Entered> {
  const answer = await keep(card, agreement);
  return answer.ok ? { kind: 'added' } : failed(answer.error);
}

function failed(why: Failure): Entered {
  return { kind: 'failed', failure: why };
}

const NOT_TAKEN = failed(failure('gateway_error', 'The card was not taken.'));

/** The form names nothing that the page showed: its guest agreed to nothing, so no card is saved. */
function notAgreed(): Entered {
  const detail = 'The form does not say that its guest agrees to what the page says.';
  return failed(failure('validation_failed', detail));
}

/** What a card's form is about, for a log line. */
function aboutEntry({ httpRequestId, place }: EntryWork): About {
  return {
    requestId: httpRequestId,
    property: place.property.id,
    booking: place.bookingReference ?? undefined,
  };
}
