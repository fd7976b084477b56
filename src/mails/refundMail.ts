import type { BookingRow } from '../platform/db/bookingTables.ts';
import type { CardRow } from '../platform/db/cardTables.ts';
import type { RefundRow } from '../platform/db/moneyTables.ts';
import type { PropertyRow } from '../platform/db/propertyTables.ts';
import type { MailContent } from '../platform/mail/layout.tsx';
import { cardFacts, mailReader, purposeFacts, stayFacts, timeFacts } from './facts.ts';

/** A refund, and what its mail says besides. */
export interface RefundOfMail {
  readonly property: PropertyRow;
  readonly booking: BookingRow;
  readonly refund: RefundRow;
  readonly card: CardRow | null;
}

/** Tells a guest of a refund. */
export function refundMail({ property, booking, refund, card }: RefundOfMail): MailContent {
  const reader = mailReader(property);
  const texts = reader.texts.refund;
  const total = reader.money(refund.amountMinor, refund.currency);
  return {
    language: reader.language,
    subject: texts.subject(property.name, booking.reference),
    heading: texts.heading,
    opening: [texts.opening(property.name, total)],
    facts: [
      ...stayFacts(booking, reader),
      ...purposeFacts(refund.description, reader),
      { name: reader.texts.facts.refund, value: String(refund.id) },
      ...cardFacts(card, reader),
      ...timeFacts(refund.completedAtMs ?? refund.createdAtMs, property, reader),
    ],
    sum: [{ name: texts.total, value: total }],
    closing: [texts.timing],
  };
}
