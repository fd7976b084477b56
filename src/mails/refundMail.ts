import { money } from '../core/format.ts';
import type { BookingRow } from '../platform/db/bookingTables.ts';
import type { CardRow } from '../platform/db/cardTables.ts';
import type { RefundRow } from '../platform/db/moneyTables.ts';
import type { PropertyRow } from '../platform/db/propertyTables.ts';
import type { MailContent } from '../platform/mail/layout.tsx';
import { mailTexts } from '../platform/mail/texts.ts';
import { cardFacts, purposeFacts, stayFacts, timeFacts } from './facts.ts';

/** A refund, and what its mail says besides. */
export interface RefundOfMail {
  readonly property: PropertyRow;
  readonly booking: BookingRow;
  readonly refund: RefundRow;
  readonly card: CardRow | null;
}

/** Tells a guest of a refund. */
export function refundMail({ property, booking, refund, card }: RefundOfMail): MailContent {
  const texts = mailTexts.refund;
  const total = money(refund.amountMinor, refund.currency);
  return {
    subject: texts.subject(property.name, booking.reference),
    heading: texts.heading,
    opening: [texts.opening(property.name, total)],
    facts: [
      ...stayFacts(booking),
      ...purposeFacts(refund.description),
      { name: mailTexts.facts.refund, value: String(refund.id) },
      ...cardFacts(card),
      ...timeFacts(refund.completedAtMs ?? refund.createdAtMs, property),
    ],
    sum: [{ name: texts.total, value: total }],
    closing: [texts.timing],
  };
}
