import type { Child } from 'hono/jsx';
import type { Address } from '../bookings/reply.ts';
import { callBooking } from '../bookings/stub.ts';
import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import { selectCardElement } from '../gateways/select.ts';
import type { AppContext } from '../http/context.ts';
import { statusOf } from '../http/problem.ts';
import { page } from '../pages/page.ts';
import { MOST_ENTRIES } from './cardEntries.ts';
import { enterElementCard, returnFromBank } from './elementCard.ts';
import { type CardFaults, CardPage } from './pages/card.tsx';
import { BankPage, ElementPage } from './pages/element.tsx';
import { allowElement } from './site.tsx';
import { enterTypedCard } from './typedCard.ts';
import { guestAddress } from './visit.ts';

/** Where a guest's card is asked for, and where it is to be kept. */
export interface CardPlace {
  readonly property: Pick<PropertyRow, 'id' | 'name' | 'currency' | 'stripeAccount'>;
  /** Where the form is, and is sent to. */
  readonly action: string;
  /** The link that the guest came by: so many cards an hour. */
  readonly linkId: string;
  readonly enteredBy: CardRow['enteredBy'];
  readonly requestId: string | null;
  /** Keeps the card once the vault has it. */
  readonly keep: (card: CardRow) => Promise<Result<unknown, Failure>>;
}

/** What became of a card's form. */
export type Entered =
  | { readonly kind: 'added' }
  /** The same form once more: its card, if it was kept, was made at this time. */
  | { readonly kind: 'repeated'; readonly atMs: number }
  | { readonly kind: 'faulty'; readonly faults: CardFaults }
  | { readonly kind: 'too-many' }
  /** The holder's bank wants to see them first, at this address. */
  | { readonly kind: 'bank'; readonly url: string }
  | { readonly kind: 'refused'; readonly failure: Failure };

/** What became of a form that is shown again. */
export type NotAdded = Exclude<Entered, { readonly kind: 'added' | 'repeated' }>;

/** Takes the card of a form that was sent, whichever way cards are entered here. */
export function enterCard(
  c: AppContext,
  form: Readonly<Record<string, string>>,
  place: CardPlace,
): Promise<Entered> {
  const element = selectCardElement(c.get('config'));
  return element ? enterElementCard(c, element, form, place) : enterTypedCard(c, form, place);
}

/** Takes the card of a guest who comes back from their bank; null where no card is entered that way. */
export async function enterConfirmedCard(c: AppContext, place: CardPlace): Promise<Entered | null> {
  const element = selectCardElement(c.get('config'));
  return element && returnFromBank(c, element, place);
}

/** The form for a card, and why it is there once more if it is. */
export function cardEntryPage(
  c: AppContext,
  { action, property }: Pick<CardPlace, 'action' | 'property'>,
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
    refusal: entered && refusalWords(entered),
  };
  const status = entered === null ? 200 : statusOfEntry(entered);
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
    <CardPage {...form} faults={entered?.kind === 'faulty' ? entered.faults : {}}>
      {introduction}
    </CardPage>,
  );
}

/** Attaches a guest's card to a booking. */
export async function attachFor(
  c: AppContext,
  booking: Pick<Address, 'propertyId' | 'reference'>,
  card: CardRow,
): Promise<Result<CardRow, Failure>> {
  const address = guestAddress(c, booking);
  const { answer } = await callBooking(c.env, c.get('crossings'), address, (it) =>
    it.attachCard(address, card),
  );
  return answer;
}

/** Why no card was taken, in plain words; null when only its fields are at fault. */
function refusalWords(entered: NotAdded): string | null {
  switch (entered.kind) {
    case 'too-many':
      return `At most ${MOST_ENTRIES} cards an hour can be tried. Please come back later.`;
    case 'refused':
      return 'The card could not be added. Nothing was charged: please try again, or use another card.';
    default:
      return null;
  }
}

function statusOfEntry(entered: NotAdded): number {
  switch (entered.kind) {
    case 'too-many':
      return 429;
    case 'refused':
      return statusOf(entered.failure.code);
    default:
      return 422;
  }
}
