import { money } from '../core/format.ts';
import type { TransactionRow } from '../platform/db/moneyTables.ts';
import type { MailContent } from '../platform/mail/layout.tsx';
import { mailTexts } from '../platform/mail/texts.ts';
import { declineWords } from '../platform/words/declines.ts';
import { englishReader } from '../platform/words/reader.ts';
import { cardFacts, purposeFacts, stayFacts, timeFacts } from './facts.ts';
import type { ChargeOfMail } from './receipt.ts';

/** Tells a guest of a charge that was declined or not made, and what to do. `payUrl` is null without a page to pay on. */
export function failedPayment(
  { property, booking, charge, card }: ChargeOfMail,
  payUrl: string | null,
): MailContent {
  const texts = mailTexts.failedPayment;
  const amount = money(charge.amountMinor, charge.currency);
  return {
    subject: texts.subject(property.name, booking.reference),
    heading: texts.heading,
    opening: [
      texts.opening(property.name, amount),
      reasonOf(charge),
      ...(payUrl === null ? [] : [texts.payOnline]),
    ],
    action: payUrl === null ? undefined : { label: texts.action, url: payUrl },
    facts: [
      ...stayFacts(booking),
      ...purposeFacts(charge.description),
      { name: mailTexts.facts.amount, value: amount },
      ...cardFacts(card),
      ...timeFacts(charge.completedAtMs ?? charge.createdAtMs, property),
    ],
    closing: payUrl === null ? [texts.contact(property.name)] : [],
  };
}

function reasonOf({ status, declineCode, cardToken }: TransactionRow): string {
  const texts = mailTexts.failedPayment;
  if (status === 'Declined') return declineWords(englishReader.words, declineCode);
  return cardToken === null ? texts.noCard : texts.notMade;
}
