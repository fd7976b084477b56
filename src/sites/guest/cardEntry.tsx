import type { Child } from 'hono/jsx';
import { HOUR_MS, SECOND_MS } from '../../core/time.ts';
import { declineWords } from '../../core/words/declines.ts';
import type { Words } from '../../core/words/words.ts';
import { selectCardElement } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { setRetryAfter } from '../web/page.tsx';
import type { CardEntryContext, NotAdded } from './enterCard.ts';
import { readerOfGuest } from './language.ts';
import { BankPage, CardPage } from './pages/card.tsx';
import { guestPage } from './site.tsx';

/** The page with a card's form. `entered` says why the guest sees it again; null at first. */
export function cardEntryPage(
  c: AppContext,
  context: CardEntryContext,
  entered: NotAdded | null,
  introduction: Child,
): Promise<Response> {
  const { property } = context;
  if (entered?.kind === 'bank') {
    return guestPage(c, 200, <BankPage url={entered.url} />, { property });
  }
  if (entered?.kind === 'too-many') setRetryAfter(c, HOUR_MS / SECOND_MS);
  const error = entered && errorWords(entered, readerOfGuest(c).words);
  return guestPage(
    c,
    entered === null ? 200 : statusOfEntry(entered),
    <CardPage context={context} entered={entered} error={error}>
      {introduction}
    </CardPage>,
    { property, element: selectCardElement(c.get('config'))?.page ?? null },
  );
}

/** Explains why no card was added; null if only its fields are invalid. */
export function errorWords(entered: NotAdded, words: Words): string | null {
  const { cardForm } = words;
  if (entered.kind === 'too-many') return cardForm.tooMany;
  if (entered.kind !== 'failed') return null;
  const { code, members } = entered.failure;
  if (code === 'outcome_unknown') return cardForm.unknown;
  if (code !== 'card_declined') return cardForm.failed;
  const declineCode = members?.declineCode ?? null;
  // This page cannot send the guest to their bank.
  return declineCode === 'authentication_required'
    ? cardForm.needsBank
    : cardForm.declined({ reason: declineWords(words, declineCode) });
}

/** The HTTP status of a page that says why no card was added. */
export function statusOfEntry(entered: NotAdded): number {
  if (entered.kind === 'too-many') return 429;
  return entered.kind === 'failed' ? statusOf(entered.failure.code) : 422;
}
