import type { Child } from 'hono/jsx';
import type { Failure } from '../../core/failure.ts';
import type { PropertyClock } from '../../core/propertyClock.ts';
import type { Result } from '../../core/result.ts';
import { HOUR_MS, SECOND_MS } from '../../core/time.ts';
import { declineWords } from '../../core/words/declines.ts';
import type { Words } from '../../core/words/words.ts';
import { selectCardElement } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import type { CallContext } from '../../operation/reply.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { setRetryAfter } from '../web/page.ts';
import { enterElementCard, returnFromBank } from './elementCard.ts';
import type { CardEntryContext, EntryResult, NotAdded } from './entryResult.ts';
import { readerOfGuest } from './language.ts';
import { BankPage, CardPage } from './pages/card.tsx';
import { callAsGuest } from './session.ts';
import { guestPage } from './site.tsx';
import { enterTypedCard } from './typedCard.ts';

/** Takes the card of a submitted form: the acquirer's own form where one is configured, else ours. */
export function enterCard(
  c: AppContext,
  form: Readonly<Record<string, string>>,
  context: CardEntryContext,
): Promise<EntryResult> {
  const element = selectCardElement(c.get('config'));
  return element ? enterElementCard(c, element, form, context) : enterTypedCard(c, form, context);
}

/** Takes the card of a guest who returns from their bank; null without the acquirer's own form. */
export async function enterConfirmedCard(
  c: AppContext,
  context: CardEntryContext,
): Promise<EntryResult | null> {
  const element = selectCardElement(c.get('config'));
  return element && returnFromBank(c, element, context);
}

/** The page with a card's form. `entered` says why the guest sees it again; null at first. */
export function cardEntryPage(
  c: AppContext,
  {
    action,
    property,
    chargesAtOnce,
  }: Pick<CardEntryContext, 'action' | 'property' | 'chargesAtOnce'>,
  entered: NotAdded | null,
  introduction: Child,
): Promise<Response> {
  if (entered?.kind === 'bank') {
    return guestPage(c, 200, <BankPage property={property} url={entered.url} />, { property });
  }
  const form = {
    property,
    action,
    attempt: crypto.randomUUID(),
    chargesAtOnce,
    error: entered && errorWords(entered, readerOfGuest(c).words),
  };
  const status = entered === null ? 200 : statusOfEntry(entered);
  if (entered?.kind === 'too-many') setRetryAfter(c, HOUR_MS / SECOND_MS);
  const parts = selectCardElement(c.get('config'))?.page ?? null;
  const typed = entered?.kind === 'invalid' ? entered : NOTHING_TYPED;
  return guestPage(
    c,
    status,
    <CardPage {...form} parts={parts} issues={typed.issues} repeated={typed.repeated}>
      {introduction}
    </CardPage>,
    { property, element: parts },
  );
}

const NOTHING_TYPED = { issues: {}, repeated: { cardExpiry: '', cardHolderName: '' } };

/** Attaches a guest's card to a booking. `returnBase` is the page to which their bank returns them, if they have one. */
export async function attachGuestCard(
  c: AppContext,
  booking: Pick<CallContext, 'propertyId' | 'reference'>,
  property: PropertyClock,
  card: CardRow,
  agreement: string | null,
  returnBase: string | null = null,
): Promise<Result<CardRow, Failure>> {
  return callAsGuest(c, booking, property, 'attachCard', { card, agreement, returnBase });
}

/** Explains why no card was added; null if only its fields are invalid. */
export function errorWords(entered: NotAdded, words: Words): string | null {
  switch (entered.kind) {
    case 'too-many':
      return words.cardForm.tooMany;
    case 'failed':
      return failureWords(entered.failure, words);
    default:
      return null;
  }
}

function failureWords({ code, members }: Failure, words: Words): string {
  switch (code) {
    case 'outcome_unknown':
      return words.cardForm.unknown;
    case 'card_declined':
      return declinedCardWords(members?.declineCode ?? null, words);
    default:
      return words.cardForm.failed;
  }
}

/** Why the bank declined a card that was to be added. This page cannot send the guest to their bank. */
function declinedCardWords(declineCode: string | null, words: Words): string {
  return declineCode === 'authentication_required'
    ? words.cardForm.needsBank
    : words.cardForm.declined({ reason: declineWords(words, declineCode) });
}

/** The HTTP status of a page that says why no card was added. */
export function statusOfEntry(entered: NotAdded): number {
  switch (entered.kind) {
    case 'too-many':
      return 429;
    case 'failed':
      return statusOf(entered.failure.code);
    default:
      return 422;
  }
}
