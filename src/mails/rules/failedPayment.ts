import { declineWords } from '../../core/words/declines.ts';
import type { MailContent } from '../../platform/mail/layout.tsx';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import {
  cardFacts,
  type MailReader,
  mailReader,
  purposeFacts,
  stayFacts,
  timeFacts,
} from './facts.ts';
import type { ChargeOfMail } from './receipt.ts';

/** Tells a guest of a charge that was declined or not made, and what to do. `payUrl` is null without a page to pay on. */
export function failedPayment(
  { property, booking, charge, card }: ChargeOfMail,
  payUrl: string | null,
): MailContent {
  const reader = mailReader(property);
  const { language, words } = reader;
  const texts = reader.words.mails.failedPayment;
  const amount = reader.money(charge.amountMinor, charge.currency);
  return {
    language,
    subject: texts.subject({ property: property.name, reference: booking.reference }),
    heading: texts.heading,
    opening: [
      texts.opening({ property: property.name, amount }),
      reasonOf(charge, reader),
      ...(payUrl === null ? [] : [texts.payOnline]),
    ],
    action: payUrl === null ? undefined : { label: texts.action, url: payUrl },
    facts: [
      ...stayFacts(booking, reader),
      ...purposeFacts(charge.description, reader),
      { name: words.bank.amount, value: amount },
      ...cardFacts(card, reader),
      ...timeFacts(charge.completedAtMs ?? charge.createdAtMs, property, reader),
    ],
    closing: payUrl === null ? [texts.contact({ property: property.name })] : [],
  };
}

function reasonOf(
  { status, declineCode, cardToken }: TransactionRow,
  { words }: MailReader,
): string {
  if (status === 'Declined') return declineWords(words, declineCode);
  const { noCard, notMade } = words.mails.failedPayment;
  return cardToken === null ? noCard : notMade;
}
