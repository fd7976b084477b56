import { z } from 'zod';
import { type Failure, failure } from '../../core/failure.ts';
import type { Result } from '../../core/result.ts';
import { acquirerId } from '../../gateways/acquirerId.ts';
import type { CardElement, ElementOutcome } from '../../gateways/cardElement.ts';
import { selectCardElement, selectGateway } from '../../gateways/select.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import type { PricedEffect } from '../../money/guest/cardEffect.ts';
import type { About } from '../../platform/log.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { elementCardRow, type Kept, vaultCard } from '../../records/cards/actions.ts';
import { countCardEntry } from '../../records/cards/entryLimit.ts';
import { notVaulted } from '../../records/cards/notVaulted.ts';
import { type AgreementKind, agreementOf, isToPay } from '../../records/cards/rules.ts';
import type { Agreed } from '../../records/guestActs/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { Form } from '../web/forms.tsx';
import { FEW_DIGITS, repeatable } from '../web/repeatable.ts';
import { agreedToCard } from './agreement.ts';
import { readCardForm } from './cardForm.ts';
import { readerOfGuest } from './language.ts';
import type { CardIssues, Repeated } from './pages/cardFields.tsx';

/** Which page takes a guest's card, and what the card belongs to. */
export interface CardEntryContext {
  readonly property: PropertyRow;
  /** The path of the form, which is also sent there. */
  readonly action: string;
  /** The link that the guest opened; the hourly limit of cards counts by link and by booking. */
  readonly linkId: string;
  /** The booking that the card belongs to; null for none. */
  readonly bookingReference: string | null;
  readonly enteredBy: 'api' | 'guest';
  readonly requestId: string | null;
  /** What the page says that the card is kept for; its guest agrees to it. */
  readonly agreement: AgreementKind;
  /** What the card changes of its booking's charges; null for no booking. */
  readonly effect: PricedEffect | null;
  /** Whether the page lists automatic charges that the card is for. */
  readonly showsCharges: boolean;
  /** Saves the card once the vault has it, with the name of what the guest agreed to, and its words. */
  readonly keep: (
    card: CardRow,
    agreement: string | null,
    agreed: Agreed | null,
  ) => Promise<Result<unknown, Failure>>;
}

/** What a submitted card form led to. */
export type EntryResult =
  | { readonly kind: 'added' }
  /** The guest sent the same form before, at `atMs`. If its card was saved, `atMs` is when the card was created. */
  | { readonly kind: 'repeated'; readonly atMs: number }
  | { readonly kind: 'invalid'; readonly issues: CardIssues; readonly repeated: Repeated }
  | { readonly kind: 'too-many' }
  /** The guest's bank must verify them first, at this URL. */
  | { readonly kind: 'bank'; readonly url: string }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The results after which the guest sees the form again, or goes to their bank. */
export type NotAdded = Exclude<EntryResult, { readonly kind: 'added' | 'repeated' }>;

/** Takes the card of a submitted form: the acquirer's own form where one is configured, else ours. */
export function enterCard(
  c: AppContext,
  form: Form,
  context: CardEntryContext,
): Promise<EntryResult> {
  const element = selectCardElement(c.get('config'));
  return element ? enterElementCard(c, element, form, context) : enterTypedCard(c, form, context);
}

/** Sends a card from our own form to the vault and saves its token. The number appears in no answer and no log. */
async function enterTypedCard(
  c: AppContext,
  form: Form,
  context: CardEntryContext,
): Promise<EntryResult> {
  const atMs = propertyNow(context.property);
  const typed = readCardForm(form, atMs, readerOfGuest(c).words);
  if (!typed.ok) {
    const { cardExpiry = '', cardHolderName = '' } = form;
    const repeated = {
      cardExpiry: repeatable(cardExpiry, FEW_DIGITS),
      cardHolderName: repeatable(cardHolderName, FEW_DIGITS),
    };
    return { kind: 'invalid', issues: typed.error, repeated };
  }
  const agreement = agreementOf(form, context.agreement);
  if (agreement === null) return notAgreed();
  const { entry, facts, attempt } = typed.value;
  const counted = { attempt, ...entered(context), atMs };
  const verdict = await countCardEntry(c.get('database'), counted);
  if (verdict.kind !== 'counted') return verdict;
  const work = {
    gateway: selectGateway(c.get('config'), c.env),
    isPresent: true,
    trace: c.get('trace'),
    about: aboutEntry(c, context),
  };
  const { merchantAccount } = context.property;
  const kept = keptOf(context, agreement, atMs);
  const vaulted = await vaultCard(work, entry, facts, merchantAccount, kept);
  return vaulted.ok ? saved(c, context, vaulted.value, agreement) : failed(vaulted.error);
}

/** The fields that our script sends once the acquirer's form has taken a card. */
const elementForm = z.object({ attempt: z.uuid(), confirmationToken: acquirerId });

/** The bank sends guests back to this path below the form's own. */
export const RETURN_PATH = 'confirmed';

/** Saves a card that the acquirer's own form took. */
async function enterElementCard(
  c: AppContext,
  element: CardElement,
  form: Form,
  context: CardEntryContext,
): Promise<EntryResult> {
  const sent = elementForm.safeParse(form);
  if (!sent.success) return cardNotTaken();
  const agreement = agreementOf(form, context.agreement);
  if (agreement === null) return notAgreed();
  const { attempt, confirmationToken } = sent.data;
  const { action, enteredBy, property, requestId } = context;
  const atMs = propertyNow(property);
  const counted = { attempt, ...entered(context), atMs };
  const verdict = await countCardEntry(c.get('database'), counted);
  if (verdict.kind === 'too-many') return verdict;
  // A repeated form continues: the acquirer recognises the attempt and gives its first answer.
  const outcome = await c.get('trace').span('gateway.tokenize', () =>
    element.keep({
      attempt,
      confirmationToken,
      purpose: { ...entered(context), requestId, enteredBy, agreement },
      account: property.merchantAccount,
      returnUrl: `${publicBaseUrl(c)}${action}/${RETURN_PATH}`,
    }),
  );
  return saveOutcome(c, element, outcome, context, atMs);
}

/**
 * Saves the card of a guest who returns from their bank. Reloading the page saves it only once. Null without the
 * acquirer's own form.
 */
export async function enterConfirmedCard(
  c: AppContext,
  context: CardEntryContext,
): Promise<EntryResult | null> {
  const element = selectCardElement(c.get('config'));
  if (!element) return null;
  const setup = acquirerId.safeParse(c.req.query('setup_intent'));
  if (!setup.success) return cardNotTaken();
  const { linkId, property } = context;
  const returned = { setup: setup.data, account: property.merchantAccount, linkId };
  const outcome = await c.get('trace').span('gateway.tokenize', () => element.confirmed(returned));
  return saveOutcome(c, element, outcome, context, propertyNow(property));
}

async function saveOutcome(
  c: AppContext,
  { gateway }: CardElement,
  outcome: ElementOutcome,
  context: CardEntryContext,
  nowMs: number,
): Promise<EntryResult> {
  if (outcome.kind === 'bank') return outcome;
  if (outcome.kind !== 'vaulted') {
    return failed(notVaulted(outcome, gateway, aboutEntry(c, context)));
  }
  const { agreement, card, gatewayToken } = outcome;
  const at = { gatewayToken, account: context.property.merchantAccount };
  const row = await elementCardRow(gateway, at, card, keptOf(context, agreement, nowMs));
  return saved(c, context, row, agreement);
}

/** Whose card is entered, through which link. */
function entered({ bookingReference, linkId, property }: CardEntryContext) {
  return { linkId, propertyId: property.id, bookingReference };
}

function keptOf(
  { enteredBy, property, requestId }: CardEntryContext,
  agreement: string | null,
  createdAtMs: number,
): Kept {
  const enteredToPay = isToPay(agreement);
  return { propertyId: property.id, enteredBy, enteredToPay, requestId, createdAtMs };
}

async function saved(
  c: AppContext,
  { agreement: kind, keep, property, showsCharges }: CardEntryContext,
  card: CardRow,
  agreement: string | null,
): Promise<EntryResult> {
  const agreed = agreement === null ? null : agreedToCard(c, kind, property, showsCharges);
  const answer = await keep(card, agreement, agreed);
  return answer.ok ? { kind: 'added' } : failed(answer.error);
}

function failed(why: Failure): EntryResult {
  return { kind: 'failed', failure: why };
}

function cardNotTaken(): EntryResult {
  return failed(failure('gateway_error', 'The card was not taken.'));
}

/** The form names nothing that the page showed: its guest agreed to nothing, so no card is saved. */
function notAgreed(): EntryResult {
  const detail = 'The form does not say that its guest agrees to what the page says.';
  return failed(failure('validation_failed', detail));
}

/** What a card's form is about, for a log line. */
function aboutEntry(c: AppContext, { property, bookingReference }: CardEntryContext): About {
  return {
    requestId: c.get('requestId'),
    property: property.id,
    booking: bookingReference ?? undefined,
  };
}
