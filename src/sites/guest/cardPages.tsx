import { SECOND_MS } from '../../core/time.ts';
import { selectGateway } from '../../gateways/select.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import { statusOf } from '../../http/problem.ts';
import { cardEffect } from '../../money/guest/cardEffect.ts';
import { owesSettlement } from '../../money/guest/folio.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { Form } from '../web/forms.tsx';
import { LinkLine } from '../web/page.tsx';
import { cardEntryPage, errorWords, statusOfEntry } from './cardEntry.tsx';
import { readCardForm } from './cardForm.ts';
import {
  type CardEntryContext,
  type EntryResult,
  enterCard,
  enterReturned,
  type NotAdded,
} from './enterCard.ts';
import { folioPage, reload } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import type { CardIssues } from './pages/cardFields.tsx';
import { RemoveCardPage } from './pages/cards.tsx';
import { NewCardEffect } from './pages/recovery.tsx';
import { readPayForm } from './payForm.ts';
import { receiptsOf } from './receiptPages.tsx';
import { callAsGuest, type GuestContext } from './session.ts';
import { failurePage, frameOf, guestPage, readForm } from './site.tsx';

export function cardForm(guest: GuestContext): Response | Promise<Response> {
  return takesNoCard(guest) ? guest.c.redirect(guest.home, 303) : entryPage(guest, null);
}

export async function addCard(guest: GuestContext): Promise<Response> {
  const { c } = guest;
  if (takesNoCard(guest)) return c.redirect(guest.home, 303);
  const form = await readForm(c);
  if (form instanceof Response) return form;
  return afterEntry(guest, await enterCard(c, form, bookingEntryContext(guest)));
}

/** Takes the card of a guest who returns from their bank. */
export async function confirmedCard(guest: GuestContext): Promise<Response> {
  const { c } = guest;
  if (takesNoCard(guest)) return c.redirect(guest.home, 303);
  const entered = await enterReturned(c, bookingEntryContext(guest));
  return entered === null ? c.redirect(guest.home, 303) : afterEntry(guest, entered);
}

/** Whether the booking is cancelled and its guest owes nothing for that. */
function takesNoCard({ folio }: GuestContext): boolean {
  return folio.state.booking.status === 'cancelled' && !owesSettlement(folio);
}

function bookingEntryContext({ c, folio, home, claims }: GuestContext): CardEntryContext {
  const effect = cardEffect(selectGateway(c.get('config'), c.env), folio);
  return {
    property: folio.state.property,
    action: `${home}/card`,
    linkId: claims.linkId,
    bookingReference: claims.reference,
    enteredBy: 'guest',
    requestId: null,
    agreement: 'saved',
    effect,
    showsCharges: effect.moved.length > 0,
    keep: (card, agreement, agreed) => {
      const returnBase = `${publicBaseUrl(c)}${receiptsOf({ home })}`;
      const command = { card, agreement, agreed, returnBase };
      return callAsGuest(c, claims, folio.state.property, 'attachCard', command);
    },
  };
}

async function afterEntry(guest: GuestContext, entered: EntryResult): Promise<Response> {
  const { c } = guest;
  switch (entered.kind) {
    case 'added':
      return c.redirect(`${guest.home}?added`, 303);
    case 'repeated': {
      const isAdded = (await cardOf(guest, entered.atMs)) !== undefined;
      return c.redirect(`${guest.home}?${isAdded ? 'added' : 'unclear'}`, 303);
    }
    default:
      return entryPage(guest, entered);
  }
}

/** The guest's card that the first sending of a repeated form has saved, at its time. */
async function cardOf(guest: GuestContext, atMs: number): Promise<CardRow | undefined> {
  const { cards } = (await reload(guest)).folio.state;
  return cards.find((card) => card.enteredBy === 'guest' && card.createdAtMs === atMs);
}

function entryPage(guest: GuestContext, entered: NotAdded | null): Promise<Response> {
  const { c } = guest;
  const { words } = readerOfGuest(c);
  const context = bookingEntryContext(guest);
  return cardEntryPage(
    c,
    context,
    entered,
    <>
      {context.effect && <NewCardEffect history={guest.folio} effect={context.effect} />}
      <LinkLine href={guest.home} text={words.booking.back} />
    </>,
  );
}

export function askToRemove(guest: GuestContext): Response | Promise<Response> {
  const { c } = guest;
  const { cards } = guest.folio.state;
  const token = c.req.query('card');
  const card = cards.find((one) => one.token === token && one.enteredBy === 'guest');
  if (!card) return c.redirect(guest.home, 303);
  return guestPage(c, 200, <RemoveCardPage card={card} />, frameOf(guest));
}

export async function removeCard(guest: GuestContext): Promise<Response> {
  const { c } = guest;
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const { property } = guest.folio.state;
  const token = form['card'] ?? '';
  const answer = await callAsGuest(c, guest.claims, property, 'removeCard', { token });
  if (answer.ok) return c.redirect(`${guest.home}?removed`, 303);
  const { cards } = readerOfGuest(c).words;
  const { code } = answer.error;
  if (code !== 'invalid_state' && code !== 'token_not_found') return failurePage(c, answer.error);
  const text = code === 'invalid_state' ? cards.inUse : cards.gone;
  return folioPage(guest, text, { status: statusOf(code) });
}

/** What became of the new card of a payment's form. */
type PayingCard =
  | { readonly kind: 'saved'; readonly card: CardRow }
  | { readonly kind: 'invalid'; readonly issues: CardIssues }
  /** No card was saved, and this page says why. */
  | { readonly kind: 'answer'; readonly response: Response };

/**
 * Saves the new card of a payment's form. Unless `isPayable`, only checks its fields: a card goes to the vault when
 * nothing else is wrong.
 */
export async function enterPayingCard(
  guest: GuestContext,
  fields: Form,
  isPayable: boolean,
): Promise<PayingCard> {
  const { c } = guest;
  if (!isPayable) return { kind: 'invalid', issues: typedIssues(guest, fields) };
  let saved: CardRow | null = null;
  const context = {
    ...bookingEntryContext(guest),
    agreement: 'payment',
    showsCharges: guest.folio.balance.scheduledMinor > 0,
  } as const;
  const entered = await enterCard(c, fields, {
    ...context,
    keep: async (card, ...agreed) => {
      const kept = await context.keep(card, ...agreed);
      if (kept.ok) saved = card;
      return kept;
    },
  });
  switch (entered.kind) {
    case 'added':
      return answered(guest, saved);
    case 'repeated':
      return answered(guest, await cardOfFirst(guest, entered.atMs));
    case 'invalid':
      return entered;
    case 'bank': {
      const response = await cardEntryPage(c, context, entered, null);
      return { kind: 'answer', response };
    }
    default: {
      const { words } = readerOfGuest(c);
      const text = errorWords(entered, words) ?? words.cardForm.failed;
      const shown = { status: statusOfEntry(entered), sent: readPayForm(fields) };
      const response = await folioPage(await reload(guest), text, shown);
      return { kind: 'answer', response };
    }
  }
}

function answered({ c, home }: GuestContext, card: CardRow | null): PayingCard {
  if (card) return { kind: 'saved', card };
  return { kind: 'answer', response: c.redirect(`${home}?unclear`, 303) };
}

/** What is wrong with the fields of our own form; nothing with those of the acquirer's. */
function typedIssues({ c, nowMs }: GuestContext, fields: Form): CardIssues {
  if (fields['confirmationToken'] !== undefined) return {};
  const read = readCardForm(fields, nowMs, readerOfGuest(c).words);
  return read.ok ? {} : read.error;
}

/** How long a repeated form waits for the card of the first one. */
const MOST_LOOKS = 5;

/** The card that the first sending of a form saved, which may be under way; null if there is none. */
async function cardOfFirst(guest: GuestContext, atMs: number): Promise<CardRow | null> {
  for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
    const found = await cardOf(guest, atMs);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS / 2));
  }
  return null;
}
