import { capitalisedBrand } from '../core/cardNumbers.ts';
import { day, instant } from '../core/format.ts';
import type { BookingRow } from '../platform/db/bookingTables.ts';
import type { CardRow } from '../platform/db/cardTables.ts';
import type { PropertyRow } from '../platform/db/propertyTables.ts';
import type { MailFact } from '../platform/mail/layout.tsx';
import { mailTexts } from '../platform/mail/texts.ts';

const { facts } = mailTexts;

/** Who stays when, and under which reference. */
export function stayFacts(booking: BookingRow): MailFact[] {
  const guest = [booking.firstName, booking.lastName].filter(Boolean).join(' ');
  return [
    { name: facts.guest, value: guest },
    { name: facts.stay, value: mailTexts.nights(day(booking.arrival), day(booking.departure)) },
    { name: facts.booking, value: booking.reference },
  ];
}

/** What a payment is for, in the words of whoever asked for it. */
export function purposeFacts(description: string | null): MailFact[] {
  return description === null || description === ''
    ? []
    : [{ name: facts.for, value: description }];
}

/** A card: its brand and last four digits, nothing else. */
export function cardFacts(card: Pick<CardRow, 'brand' | 'last4'> | null): MailFact[] {
  if (card === null) return [];
  const value = mailTexts.endingIn(capitalisedBrand(card.brand), card.last4);
  return [{ name: facts.card, value }];
}

/** An instant in the property's zone. */
export function timeFacts(atMs: number, { timeZone }: PropertyRow): MailFact[] {
  return [{ name: facts.time, value: `${instant(atMs, timeZone)} (${timeZone})` }];
}
