import { AsyncLocalStorage } from 'node:async_hooks';
import { capitalisedBrand } from '../core/cardNumbers.ts';
import { lazy } from '../core/lazy.ts';
import { type AmountDoubt, typableAmount } from '../core/typedAmount.ts';
import { holdsMessages } from '../core/words/parts.ts';
import {
  declineReason,
  type StaffLanguage,
  type StaffWords,
  staffMessages,
  staffWordsOf,
} from '../core/words/staff.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';

/** In which language a request is answered, and whether that is beyond its person's own choice. */
interface Spoken {
  language: StaffLanguage;
  readonly isFixed: boolean;
}

const spoken = new AsyncLocalStorage<Spoken>();

/** Answers a request in a language; a file that programs read is always in English. */
export function inLanguage<T>(language: StaffLanguage, isFile: boolean, answer: () => T): T {
  return spoken.run({ language: isFile ? 'en' : language, isFixed: isFile }, answer);
}

/** Answers the rest of the request in the language that its person chose; null for no choice. */
export function speak(language: StaffLanguage | null): void {
  const store = spoken.getStore();
  if (store && !store.isFixed && language !== null) store.language = language;
}

/** The language of the request that is answered; English outside of one. */
export function languageNow(): StaffLanguage {
  return spoken.getStore()?.language ?? 'en';
}

/**
 * All that staff read, in the language of the request that is answered; outside of one, in English. Each text is looked up
 * when it is read: what lives longer than a request keeps this or a part of it, and no text.
 */
export const words: StaffWords = live(staffMessages.english, () => staffWordsOf(languageNow()));

/** Objects of the same names whose texts are those of what `current` returns. */
function live<T extends object>(shape: object, current: () => T): T {
  const names = Object.entries(shape).map(([name, inner]) => {
    const now = () => (current() as Record<string, unknown>)[name];
    const part = lazy(() => live(inner as object, now as () => object));
    return [name, { enumerable: true, get: holdsMessages(inner) ? part : now }] as const;
  });
  return Object.defineProperties({}, Object.fromEntries(names)) as T;
}

/** A heading within a sentence, where English writes it small. */
export function inSentence(heading: string): string {
  return words.language === 'en' ? heading.toLowerCase() : heading;
}

/** Why a card was declined, in plain words; a code that nobody has words for stands for itself. */
export function declineCopy(declineCode: string | null): string {
  return declineReason(words, declineCode);
}

/** A card by its brand and last digits; null for the booking's: which that will be is seen when the time comes. */
export function cardCopy(
  card: Readonly<{ brand: string | null; last4: string | null }> | null,
): string {
  const { brand = null, last4 = null } = card ?? {};
  return brand === null || last4 === null
    ? words.list.bookingsCard
    : `${capitalisedBrand(brand)} ${last4}`;
}

/** What a payment is, and what for: `Payment (balance)`. */
export function whatCopy({ kind, purpose }: Pick<TransactionRow, 'kind' | 'purpose'>): string {
  return words.list.what({ kind: words.kinds[kind], purpose: words.purposes[purpose] });
}

/**
 * What is wrong with an amount as typed: `unreadable` says it of a text that is none. Of two, it asks which was meant, in
 * texts that are one of them only.
 */
export function amountCopy(doubt: AmountDoubt, currency: string, unreadable: string): string {
  if (doubt.kind === 'unreadable') return unreadable;
  const { decimalMinor, thousandsMinor } = doubt;
  const small = typableAmount(decimalMinor, currency);
  return words.amounts.which({ small, large: typableAmount(thousandsMinor, currency) });
}

export interface NamedGuest {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

export function guestOf({ firstName, lastName }: NamedGuest): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}
