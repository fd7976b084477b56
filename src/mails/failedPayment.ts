import type { TransactionRow } from '../platform/db/moneyTables.ts';
import type { MailContent } from '../platform/mail/layout.tsx';
import { declineWords } from '../platform/words/declines.ts';
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
  const texts = reader.texts.failedPayment;
  const amount = reader.money(charge.amountMinor, charge.currency);
  return {
    language,
    subject: texts.subject(property.name, booking.reference),
    heading: texts.heading,
    opening: [
      texts.opening(property.name, amount),
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
    closing: payUrl === null ? [texts.contact(property.name)] : [],
  };
}

function reasonOf(
  { status, declineCode, cardToken }: TransactionRow,
  { words, texts: { failedPayment: texts } }: MailReader,
): string {
  if (status === 'Declined') return declineWords(words, declineCode);
  return cardToken === null ? texts.noCard : texts.notMade;
}
