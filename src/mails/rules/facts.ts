import { capitalisedBrand } from '../../core/cardNumbers.ts';
import { type Reader, readerOf } from '../../core/words/reader.ts';
import type { Language } from '../../core/words/words.ts';
import type { MailFact } from '../../platform/mail/layout.tsx';
import { mailLanguage } from '../../platform/mail/rules/guestLanguage.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/** How a property writes to its guests. */
export interface MailReader extends Reader {
  readonly language: Language;
}

/** Who reads the mails of a property. */
export function mailReader(property: PropertyRow): MailReader {
  const language = mailLanguage(property);
  return { ...readerOf(language), language };
}

/** Who stays when, and under which reference. */
export function stayFacts(
  { arrival, departure, firstName, lastName, reference }: BookingRow,
  { day, words: { booking } }: MailReader,
): MailFact[] {
  return [
    { name: booking.guest, value: [firstName, lastName].filter(Boolean).join(' ') },
    {
      name: booking.stay,
      value: booking.dates({ arrival: day(arrival), departure: day(departure) }),
    },
    { name: booking.reference, value: reference },
  ];
}

/** What a payment is for, in the words of whoever asked for it. */
export function purposeFacts(
  description: string | null,
  { words: { mails } }: MailReader,
): MailFact[] {
  return description === null || description === ''
    ? []
    : [{ name: mails.facts.for, value: description }];
}

/** A card: its brand and last four digits, nothing else. */
export function cardFacts(
  card: Pick<CardRow, 'brand' | 'last4'> | null,
  { words }: MailReader,
): MailFact[] {
  if (card === null) return [];
  const value = words.card.endingIn({ brand: capitalisedBrand(card.brand), last4: card.last4 });
  return [{ name: words.receipt.card, value }];
}

/** An instant in the property's zone. */
export function timeFacts(
  atMs: number,
  { timeZone }: PropertyRow,
  { instant, words }: MailReader,
): MailFact[] {
  return [{ name: words.receipt.time, value: `${instant(atMs, timeZone)} (${timeZone})` }];
}
