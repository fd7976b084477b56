import type { Child } from 'hono/jsx';
import { callBooking } from '../../booking/stub.ts';
import type { Failure } from '../../core/failure.ts';
import type { PropertyClock } from '../../core/propertyClock.ts';
import type { Result } from '../../core/result.ts';
import { HOUR_MS, SECOND_MS } from '../../core/time.ts';
import { selectCardElement } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import type { CallContext } from '../../operation/reply.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import { page, setRetryAfter } from '../web/page.ts';
import { declinedCardCopy } from './copy.ts';
import { enterElementCard, returnFromBank } from './elementCard.ts';
import type { CardEntryContext, EntryResult, NotAdded } from './entryResult.ts';
import { CardPage } from './pages/card.tsx';
import { BankPage, ElementPage } from './pages/element.tsx';
import { guestCallContext } from './session.ts';
import { allowElement } from './site.tsx';
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
  const propertyName = property.name;
  if (entered?.kind === 'bank') {
    return page(c, 200, <BankPage propertyName={propertyName} url={entered.url} />);
  }
  const form = {
    propertyName,
    action,
    attempt: crypto.randomUUID(),
    chargesAtOnce,
    error: entered && errorCopy(entered),
  };
  const status = entered === null ? 200 : statusOfEntry(entered);
  if (entered?.kind === 'too-many') setRetryAfter(c, HOUR_MS / SECOND_MS);
  const element = selectCardElement(c.get('config'));
  if (element !== null) {
    allowElement(c, element.page);
    return page(
      c,
      status,
      <ElementPage
        {...form}
        parts={element.page}
        account={property.stripeAccount}
        currency={property.currency}
      >
        {introduction}
      </ElementPage>,
    );
  }
  return page(
    c,
    status,
    <CardPage {...form} issues={entered?.kind === 'invalid' ? entered.issues : {}}>
      {introduction}
    </CardPage>,
  );
}

/** Attaches a guest's card to a booking. */
export async function attachGuestCard(
  c: AppContext,
  booking: Pick<CallContext, 'propertyId' | 'reference'>,
  property: PropertyClock,
  card: CardRow,
): Promise<Result<CardRow, Failure>> {
  const context = guestCallContext(c, booking, property);
  const { answer } = await callBooking(c.env, c.get('trace'), context, (it) =>
    it.attachCard(context, card),
  );
  return answer;
}

const TOO_MANY_CARDS =
  'You have tried as many cards as we take within an hour. Please come back later.';

const UNKNOWN_CARD =
  'We could not confirm whether the card was added. Nothing was charged. ' +
  'Please open the link from your message again to check before you try once more.';

const FAILED =
  'The card could not be added. Your bank did not decline it: something went wrong on our side. ' +
  'Nothing was charged. Please try again or use another card.';

/** Explains why no card was added; null if only its fields are invalid. */
function errorCopy(entered: NotAdded): string | null {
  switch (entered.kind) {
    case 'too-many':
      return TOO_MANY_CARDS;
    case 'failed':
      return failureCopy(entered.failure);
    default:
      return null;
  }
}

function failureCopy({ code, members }: Failure): string {
  switch (code) {
    case 'outcome_unknown':
      return UNKNOWN_CARD;
    case 'card_declined':
      return declinedCardCopy(members?.declineCode ?? null);
    default:
      return FAILED;
  }
}

function statusOfEntry(entered: NotAdded): number {
  switch (entered.kind) {
    case 'too-many':
      return 429;
    case 'failed':
      return statusOf(entered.failure.code);
    default:
      return 422;
  }
}
