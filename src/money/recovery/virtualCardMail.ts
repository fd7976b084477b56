import { capitalisedBrand } from '../../core/cardNumbers.ts';
import { instant, money, personName } from '../../core/format.ts';
import { declineReason, type StaffWords, staffWordsOf } from '../../core/words/staff.ts';
import type { MailContent } from '../../platform/mail/layout.tsx';
import { ownMailLanguage } from '../../platform/mail/rules/language.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';

interface ToldCharge {
  readonly cause: RecoveryRow['cause'];
  readonly deadlineAtMs: number;
  readonly charge: Pick<TransactionRow, 'amountMinor' | 'currency' | 'declineCode'>;
  readonly card: Pick<CardRow, 'brand' | 'last4' | 'virtual'>;
}

/** Asks a property for another card in place of a virtual one that fails: its guest knows nothing of it. */
export function virtualCardMail(
  property: Pick<PropertyRow, 'id' | 'name' | 'timeZone' | 'guestMails'>,
  booking: Pick<BookingRow, 'reference' | 'firstName' | 'lastName'>,
  charges: readonly ToldCharge[],
  baseUrl: string,
): MailContent {
  const { reference, firstName, lastName } = booking;
  const language = ownMailLanguage(property);
  const words = staffWordsOf(language);
  const texts = words.mails.virtualCard;
  const deadlineMs = Math.min(...charges.map(({ deadlineAtMs }) => deadlineAtMs));
  const time = `${instant(deadlineMs, property.timeZone, words.locale)} (${property.timeZone})`;
  const query = new URLSearchParams({ property: property.id, reference });
  return {
    language,
    subject: texts.subject({ reference, property: property.name }),
    heading: texts.heading,
    opening: [
      texts.opening({ reference, guest: personName(firstName, lastName) }),
      ...charges.map((charge) => line(charge, words)),
      texts.answerBy({ time }),
    ],
    action: { label: texts.action, url: `${baseUrl}/console/booking?${query.toString()}` },
    closing: [texts.guest],
  };
}

function line({ cause, charge, card: { brand, last4, virtual } }: ToldCharge, words: StaffWords) {
  const texts = words.mails.virtualCard;
  const amount = money(charge.amountMinor, charge.currency, words.locale);
  const named = `${capitalisedBrand(brand)} ${last4}`;
  const channel = virtual?.channel;
  const card = channel ? texts.cardFrom({ card: named, channel }) : named;
  if (cause === 'expiring' || cause === 'former') return texts[cause]({ amount, card });
  return texts.declined({ amount, card, reason: declineReason(words, charge.declineCode) });
}
