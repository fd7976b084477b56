/** One mail of each kind, as a property with every contact sends it. */
import { DAY_MS } from '../../src/core/time.ts';
import { type DigestEntry, dailyDigest } from '../../src/mails/rules/dailyDigest.ts';
import {
  cardRequestMail,
  failedPayment,
  paymentLinkMail,
  receipt,
  refundMail,
} from '../../src/mails/rules/guestMails.ts';
import { layOut } from '../../src/platform/mail/layout.tsx';
import type { Mail } from '../../src/platform/mail/mail.ts';
import { bookedRow, cardRow, propertyRow, refundRow, transactionRow } from '../rules/rows.ts';

/** When everything in the samples happened. */
export const SAMPLE_AT_MS = Date.parse('2027-02-10T01:05:00Z');

export const property = propertyRow({
  contact: {
    email: 'desk@hotel.com',
    phone: '+61 8 5550 1234',
    address: '1 Beach Road\nPerth WA 6000',
    website: 'https://www.hotel.com',
    termsUrl: 'https://www.hotel.com/terms',
    taxId: 'ABN 51 824 753 556',
  },
});

export const booking = bookedRow({ firstName: 'Ana' });

export const card = cardRow('a1'.repeat(16));

/** An accepted charge of 150.00 with both fees. */
export const charge = transactionRow({
  status: 'Accepted',
  requestedMinor: 15_000,
  transactionFeeMinor: 33,
  cardFeeMinor: 464,
  amountMinor: 15_497,
  description: 'Second night',
  completedAtMs: SAMPLE_AT_MS,
});

const refund = refundRow({ status: 'Refunded', completedAtMs: SAMPLE_AT_MS });
const declined = { ...charge, status: 'Declined', declineCode: 'insufficient_funds' } as const;

export const entry: DigestEntry = {
  eventType: 'payment.declined',
  bookingReference: 'RES-1',
  firstName: 'Ana',
  lastName: 'Nguyen',
  atMs: SAMPLE_AT_MS,
  amountMinor: 15_497,
  currency: 'AUD',
  declineCode: 'lost_card',
  disputeReason: null,
  respondByMs: null,
  why: null,
};

const disputed = { ...entry, eventType: 'dispute.opened', disputeReason: 'fraudulent' };

const entries: readonly DigestEntry[] = [
  entry,
  { ...entry, eventType: 'payment.failed', why: 'never reached the gateway' },
  { ...entry, eventType: 'payment.failed' },
  { ...entry, eventType: 'refund.failed', bookingReference: 'RES-2' },
  { ...disputed, respondByMs: SAMPLE_AT_MS + DAY_MS },
  { ...disputed, bookingReference: 'RES-3' },
  { ...disputed, eventType: 'dispute.won' },
  { ...disputed, eventType: 'dispute.lost' },
];

const contents = () => ({
  receipt: receipt(
    { property, booking, charge, card },
    { payUrl: 'https://pay.hotel.com/guest/v1/payments?v1.sealed', dueMinor: 45_000 },
  ),
  refund: refundMail({ property, booking, refund, card }),
  'failed-payment': failedPayment(
    { property, booking, charge: declined, card },
    'https://pay.hotel.com/guest/v1/payments?v1.sealed',
  ),
  'daily-digest': dailyDigest({
    property,
    day: '2027-02-10',
    entries,
    count: 9,
    baseUrl: 'https://pay.hotel.com',
  }),
  'payment-link': paymentLinkMail(
    { property, booking },
    'https://pay.hotel.com/guest/v1/payments?v1.sealed',
  ),
  'card-request': cardRequestMail(
    { property, booking, request: { expiresAtMs: SAMPLE_AT_MS } },
    'https://pay.hotel.com/guest/v1/card?v1.sealed',
  ),
});

/** Each kind of mail, by its name. */
export async function sampleMails(): Promise<[string, Omit<Mail, 'id' | 'to'>][]> {
  const laidOut = Object.entries(contents()).map(
    async ([name, content]): Promise<[string, Omit<Mail, 'id' | 'to'>]> => [
      name,
      await layOut(property, content),
    ],
  );
  return Promise.all(laidOut);
}
