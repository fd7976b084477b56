import type { MailContent } from '../../platform/mail/layout.tsx';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { RefundRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
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
  const texts = reader.words.mails.refund;
  const total = reader.money(refund.amountMinor, refund.currency);
  return {
    language: reader.language,
    subject: texts.subject({ property: property.name, reference: booking.reference }),
    heading: texts.heading,
    opening: [texts.opening({ property: property.name, amount: total })],
    facts: [
      ...stayFacts(booking, reader),
      ...purposeFacts(refund.description, reader),
      { name: reader.words.mails.facts.refund, value: String(refund.id) },
      ...cardFacts(card, reader),
      ...timeFacts(refund.completedAtMs ?? refund.createdAtMs, property, reader),
    ],
    sum: [{ name: texts.total, value: total }],
    closing: [texts.timing],
  };
}
