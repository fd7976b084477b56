import { money } from '../core/format.ts';
import type { BookingRow } from '../platform/db/bookingTables.ts';
import type { CardRow } from '../platform/db/cardTables.ts';
import type { TransactionRow } from '../platform/db/moneyTables.ts';
import type { PropertyRow } from '../platform/db/propertyTables.ts';
import type { MailContent } from '../platform/mail/layout.tsx';
import { mailTexts } from '../platform/mail/texts.ts';
import { cardFacts, purposeFacts, stayFacts, timeFacts } from './facts.ts';

/** A charge, and what a mail says besides. */
export interface ChargeOfMail {
  readonly property: PropertyRow;
  readonly booking: BookingRow;
  readonly charge: TransactionRow;
  readonly card: CardRow | null;
}

/** The receipt of a payment: what was paid, with the fees as lines of their own. */
export function receipt({ property, booking, charge, card }: ChargeOfMail): MailContent {
  const texts = mailTexts.receipt;
  const { currency, requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor } = charge;
  const total = money(amountMinor, currency);
  const fee = (name: string, minor: number) =>
    minor === 0 ? [] : [{ name, value: money(minor, currency) }];
  return {
    subject: texts.subject(property.name, booking.reference),
    heading: texts.heading,
    opening: [texts.opening(property.name, total)],
    facts: [
      ...stayFacts(booking),
      ...purposeFacts(charge.description),
      { name: mailTexts.facts.payment, value: String(charge.id) },
      ...cardFacts(card),
      ...timeFacts(charge.completedAtMs ?? charge.createdAtMs, property),
    ],
    sum: [
      { name: texts.payment, value: money(requestedMinor, currency) },
      ...fee(texts.transactionFee, transactionFeeMinor),
      ...fee(texts.cardFee, cardFeeMinor),
      { name: texts.total, value: total },
    ],
  };
}
