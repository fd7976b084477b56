import { SECOND_MS } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { cardEntryPage, enterCard, errorWords, statusOfEntry } from './cardEntry.tsx';
import { readCardForm } from './cardForm.ts';
import { bookingEntryContext } from './cardPages.tsx';
import { folioPageWithError, type GuestContext, reload } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import type { CardIssues } from './pages/cardFields.tsx';
import { readPayForm } from './payForm.ts';

/** What became of the new card of a payment's form. */
type PayingCard =
  | { readonly kind: 'saved'; readonly card: CardRow }
  | { readonly kind: 'invalid'; readonly issues: CardIssues }
  /** No card was saved, and this page says why. */
  | { readonly kind: 'answer'; readonly response: Response };

type Fields = Readonly<Record<string, string>>;

/**
 * Saves the new card of a payment's form. Unless `isPayable`, only checks its fields: a card goes to the vault when
 * nothing else is wrong.
 */
export async function enterPayingCard(
  c: AppContext,
  guest: GuestContext,
  fields: Fields,
  isPayable: boolean,
): Promise<PayingCard> {
  if (!isPayable) return { kind: 'invalid', issues: typedIssues(c, guest, fields) };
  let saved: CardRow | null = null;
  const context = { ...bookingEntryContext(c, guest), agreement: 'payment' } as const;
  const entered = await enterCard(c, fields, {
    ...context,
    keep: async (card, agreement) => {
      const kept = await context.keep(card, agreement);
      if (kept.ok) saved = card;
      return kept;
    },
  });
  switch (entered.kind) {
    case 'added':
      return answered(c, guest, saved);
    case 'repeated':
      return answered(c, guest, await cardOfFirst(c, guest, entered.atMs));
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
      const response = await folioPageWithError(c, await reload(c, guest), text, shown);
      return { kind: 'answer', response };
    }
  }
}

function answered(c: AppContext, { home }: GuestContext, card: CardRow | null): PayingCard {
  if (card) return { kind: 'saved', card };
  return { kind: 'answer', response: c.redirect(`${home}?unclear`, 303) };
}

/** What is wrong with the fields of our own form; nothing with those of the acquirer's. */
function typedIssues(c: AppContext, { folio }: GuestContext, fields: Fields): CardIssues {
  if (fields['confirmationToken'] !== undefined) return {};
  const read = readCardForm(fields, propertyNow(folio.state.property), readerOfGuest(c).words);
  return read.ok ? {} : read.error;
}

/** How long a repeated form waits for the card of the first one. */
const MOST_LOOKS = 5;

/** The card that the first sending of a form saved, which may be under way; null if there is none. */
async function cardOfFirst(
  c: AppContext,
  guest: GuestContext,
  atMs: number,
): Promise<CardRow | null> {
  for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
    const { cards } = (await reload(c, guest)).folio.state;
    const found = cards.find((card) => card.enteredBy === 'guest' && card.createdAtMs === atMs);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS / 2));
  }
  return null;
}
