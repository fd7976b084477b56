import { type Pdf, pdfOf } from '../../../core/pdf/pdf.ts';
import type { Evidence } from './read.ts';
import { amountText } from './rules/amounts.ts';
import type { Facts } from './views.ts';

type Section = Parameters<typeof pdfOf>[0]['sections'][number];

/** The evidence as a PDF for the bank: what happened, by whom and when. Of a card it has the last four digits. */
export function evidencePdf({ dispute, property, view }: Evidence): Pdf {
  const { facts } = view;
  const { booking, stay } = facts;
  const disputed = facts.payments.find(({ chargeId }) => chargeId === dispute.transactionId);
  return pdfOf({
    title: `Evidence about dispute ${view.disputeId}`,
    sections: [
      section('The dispute', [
        `Property: ${property.name}`,
        `Reason: ${view.reason.replaceAll('_', ' ')}`,
        disputed &&
          `Charge: ${amountText(disputed)} on ${disputed.at}, card ending in ${disputed.cardNumber}`,
        view.respondBy && `To be answered by: ${view.respondBy}`,
      ]),
      section('The booking', [
        `Reference: ${booking.reference} (${booking.status}), made on ${booking.madeAt}`,
        `Guest: ${booking.guest}, ${booking.email}`,
        booking.phone && `Phone: ${booking.phone}`,
        booking.address && `Address: ${booking.address}`,
        `Stay: ${booking.arrival} to ${booking.departure}`,
        `Total: ${amountText({ amount: booking.totalCost, currency: booking.currency })}`,
      ]),
      section('The stay', [
        stay.happened ? 'The stay took place.' : null,
        stay.arrivedAt && `Arrived on ${stay.arrivedAt}, as the property's system told.`,
        stay.departedAt && `Departed on ${stay.departedAt}, as the property's system told.`,
      ]),
      section('The cancellation policy', [
        facts.policy?.words,
        facts.policy?.disclosedAt && `Disclosed on ${facts.policy.disclosedAt}.`,
      ]),
      ...lists(facts),
    ].filter(({ paragraphs }) => paragraphs.length > 0),
  });
}

function section(
  heading: string,
  paragraphs: readonly (string | null | undefined | false)[],
): Section {
  return { heading, paragraphs: paragraphs.filter((one) => typeof one === 'string') };
}

function lists(facts: Facts): Section[] {
  return [
    section(
      'What the guest agreed to',
      facts.agreements.flatMap(({ at, browser, ipAddress, kind, words }) => [
        `${at} (${kind}), address ${ipAddress ?? 'not known'}, browser ${browser ?? 'not known'}:`,
        words,
      ]),
    ),
    section(
      'Payments',
      facts.payments.map(
        (one) =>
          `${one.at}: ${amountText(one)}, ${one.status}, card ${one.cardType} ending in ${one.cardNumber}${one.bankStep ? `, the cardholder's bank was asked on ${one.bankStep.askedAt}: ${BANK_STEP[one.bankStep.result]}` : ''}${one.description ? `, ${one.description}` : ''}`,
      ),
    ),
    section(
      'Refunds',
      facts.refunds.map(
        (one) =>
          `${one.refundedAt ?? one.askedAt}: ${amountText(one)} of charge ${one.chargeId}, ${one.status}`,
      ),
    ),
    section(
      'Mails to the guest',
      facts.mails.map(({ kind, sentAt }) => `${sentAt}: ${kind}`),
    ),
    section(
      "Openings of the guest's page",
      facts.openings.map(
        ({ at, browser, ipAddress }) =>
          `${at}: address ${ipAddress ?? 'not known'}, browser ${browser ?? 'not known'}`,
      ),
    ),
    section(
      'Changes of the booking',
      facts.changes.map(({ at, detail, to, what }) =>
        [`${at}: ${what} ${to}`, detail].filter(Boolean).join(', '),
      ),
    ),
    section(
      'Earlier payments of the same card, undisputed',
      facts.earlierPayments.map(
        (one) => `${one.at}: ${amountText(one)}, booking ${one.bookingReference}`,
      ),
    ),
  ];
}

const BANK_STEP = {
  confirmed: 'it verified them',
  notConfirmed: 'they did not confirm it',
  open: 'not answered',
} as const;
