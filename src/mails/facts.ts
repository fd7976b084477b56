import { capitalisedBrand } from '../core/cardNumbers.ts';
import type { BookingRow } from '../platform/db/bookingTables.ts';
import type { CardRow } from '../platform/db/cardTables.ts';
import type { PropertyRow } from '../platform/db/propertyTables.ts';
import { mailLanguage } from '../platform/mail/guestLanguage.ts';
import type { MailFact } from '../platform/mail/layout.tsx';
import { guestMailTexts } from '../platform/mail/words/guestTexts.ts';
import { type Reader, readerOf } from '../platform/words/reader.ts';
import type { Language } from '../platform/words/words.ts';

/** How a property writes to its guests: in which language, and with which words. */
export interface MailReader extends Reader {
  readonly language: Language;
  readonly texts: ReturnType<typeof guestMailTexts>;
}

/** Who reads the mails of a property. */
export function mailReader(property: PropertyRow): MailReader {
  const language = mailLanguage(property);
  return { ...readerOf(language), language, texts: guestMailTexts(language) };
}

/** Who stays when, and under which reference. */
export function stayFacts(
  { arrival, departure, firstName, lastName, reference }: BookingRow,
  { day, words: { booking } }: MailReader,
): MailFact[] {
  return [
    { name: booking.guest, value: [firstName, lastName].filter(Boolean).join(' ') },
    { name: booking.stay, value: booking.dates(day(arrival), day(departure)) },
    { name: booking.reference, value: reference },
  ];
}

/** What a payment is for, in the words of whoever asked for it. */
export function purposeFacts(
  description: string | null,
  { texts: { facts } }: MailReader,
): MailFact[] {
  return description === null || description === ''
    ? []
    : [{ name: facts.for, value: description }];
}

/** A card: its brand and last four digits, nothing else. */
export function cardFacts(
  card: Pick<CardRow, 'brand' | 'last4'> | null,
  { words }: MailReader,
): MailFact[] {
  if (card === null) return [];
  const value = words.card.endingIn(capitalisedBrand(card.brand), card.last4);
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
