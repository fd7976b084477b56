import staff from '../../../locales/staff/en.json' with { type: 'json' };
import { capitalisedBrand } from '../../core/cardNumbers.ts';
import { instant, money, personName } from '../../core/format.ts';
import type { MailContent } from '../../platform/mail/layout.tsx';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';

/** What a property is asked about its virtual cards, which is in English only. Arguments are ready to be shown. */
const texts = {
  subject: (reference: string, property: string) =>
    `A virtual card needs your attention: booking ${reference}, ${property}`,
  heading: 'A virtual card needs your attention',
  opening: (reference: string, guest: string) =>
    `The virtual card of booking ${reference} (${guest}) could not be charged, or will not be:`,
  declined: (amount: string, card: string, why: string) =>
    `${amount} on ${card}: declined (${why})`,
  expiring: (amount: string, card: string) => `${amount} on ${card}: the card will have expired`,
  former: (amount: string, card: string) =>
    `${amount} on ${card}: the card is kept at a former payment account`,
  channel: (channel: string) => `from ${channel}`,
  answerBy: (time: string) => `Ask the agency for another card, and add it by ${time}.`,
  guest: 'The guest is not asked.',
  action: 'See the booking',
} as const;

interface ToldCharge {
  readonly cause: RecoveryRow['cause'];
  readonly deadlineAtMs: number;
  readonly charge: Pick<TransactionRow, 'amountMinor' | 'currency' | 'declineCode'>;
  readonly card: Pick<CardRow, 'brand' | 'last4' | 'virtual'>;
}

/** Asks a property for another card in place of a virtual one that fails: its guest knows nothing of it. */
export function virtualCardMail(
  property: Pick<PropertyRow, 'id' | 'name' | 'timeZone'>,
  booking: Pick<BookingRow, 'reference' | 'firstName' | 'lastName'>,
  charges: readonly ToldCharge[],
  baseUrl: string,
): MailContent {
  const { reference, firstName, lastName } = booking;
  const deadlineMs = Math.min(...charges.map(({ deadlineAtMs }) => deadlineAtMs));
  const query = new URLSearchParams({ property: property.id, reference });
  return {
    subject: texts.subject(reference, property.name),
    heading: texts.heading,
    opening: [
      texts.opening(reference, personName(firstName, lastName)),
      ...charges.map(line),
      texts.answerBy(`${instant(deadlineMs, property.timeZone)} (${property.timeZone})`),
    ],
    action: { label: texts.action, url: `${baseUrl}/console/booking?${query.toString()}` },
    closing: [texts.guest],
  };
}

function line({ cause, charge, card }: ToldCharge): string {
  const amount = money(charge.amountMinor, charge.currency);
  const channel = card.virtual?.channel;
  const named = `${capitalisedBrand(card.brand)} ${card.last4}`;
  const shown = channel ? `${named} ${texts.channel(channel)}` : named;
  if (cause === 'expiring') return texts.expiring(amount, shown);
  if (cause === 'former') return texts.former(amount, shown);
  return texts.declined(amount, shown, declineWords(charge.declineCode));
}

function declineWords(code: string | null): string {
  const known: Readonly<Record<string, string>> = staff.declines;
  const name = code ?? 'generic_decline';
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? name.replaceAll('_', ' ');
}
