import type { MailContent } from '../../platform/mail/layout.tsx';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { cardFacts, mailReader, purposeFacts, stayFacts, timeFacts } from './facts.ts';

/** A charge, and what a mail says besides. */
export interface ChargeOfMail {
  readonly property: PropertyRow;
  readonly booking: BookingRow;
  readonly charge: TransactionRow;
  readonly card: CardRow | null;
}

/** The receipt of a payment: what was paid, with the fees as lines of their own. */
export function receipt({ property, booking, charge, card }: ChargeOfMail): MailContent {
  const reader = mailReader(property);
  const { language, money, words } = reader;
  const texts = reader.words.mails.receipt;
  const { currency, requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor } = charge;
  const total = money(amountMinor, currency);
  const fee = (name: string, minor: number) =>
    minor === 0 ? [] : [{ name, value: money(minor, currency) }];
  return {
    language,
    subject: texts.subject({ property: property.name, reference: booking.reference }),
    heading: texts.heading,
    opening: [texts.opening({ property: property.name, amount: total })],
    facts: [
      ...stayFacts(booking, reader),
      ...purposeFacts(charge.description, reader),
      { name: words.receipt.number, value: String(charge.id) },
      ...cardFacts(card, reader),
      ...timeFacts(charge.completedAtMs ?? charge.createdAtMs, property, reader),
    ],
    sum: [
      { name: words.pay.bookingPayment, value: money(requestedMinor, currency) },
      ...fee(texts.transactionFee, transactionFeeMinor),
      ...fee(words.pay.cardFee, cardFeeMinor),
      { name: words.receipt.total, value: total },
    ],
  };
}
