import { z } from '@hono/zod-openapi';
import { named, shownTime } from '../../../platform/views.ts';
import { applications } from '../../../schema/applicationTables.ts';
import { guestActs } from '../../../schema/guestActTables.ts';
import { mails } from '../../../schema/mailTables.ts';
import { refunds } from '../../../schema/moneyTables.ts';
import { transactionStatusSchema } from '../../payments/views.ts';
import { evidenceFields, evidenceParts, fieldMeanings } from './rules/fields.ts';

const ipAddress = z.string().nullable().describe('null where nobody was there');
const browser = z.string().nullable().describe('the `User-Agent`');
const chargeId = z.int().describe('of the charge');
const currency = z.string().describe('ISO 4217 code');
const last4 = z.string().openapi({ example: '4242' }).describe('the last four digits');

const bookingFacts = named('EvidenceBooking', {
  reference: z.string().describe("the PMS's"),
  status: z.enum(['booked', 'cancelled']).describe('as it is now'),
  guest: z.string().describe('first and last name'),
  email: z.string().describe("the guest's"),
  phone: z.string().nullable().describe("the guest's"),
  address: z.string().nullable().describe("the guest's"),
  arrival: z.string().describe('YYYY-MM-DD'),
  departure: z.string().describe('YYYY-MM-DD'),
  totalCost: z.number().describe('what the stay costs'),
  currency,
  source: z.string().nullable().describe('where it was made'),
  pmsConfirmationNumber: z.string().nullable().describe("the PMS's own number"),
  madeAt: shownTime.describe('when it was saved first'),
});

const changeFacts = named('EvidenceChange', {
  at: shownTime.describe('when it changed'),
  by: z.string().describe('a client id, the name of a person, `guest`, `gateway` or `alarm`'),
  what: z.string().describe('`booking`, `card` or `application`'),
  from: z.string().nullable().describe('the state before'),
  to: z.string().describe('the state after'),
  detail: z.string().nullable().describe('the reason'),
});

const policyFacts = named('EvidencePolicy', {
  words: z.string().describe('as guests read it'),
  disclosedAt: shownTime.nullable().describe('when it was first shown'),
});

const agreementFacts = named('EvidenceAgreement', {
  kind: z.enum(guestActs.kind.enumValues).exclude(['opened']).describe('what they agreed to'),
  at: shownTime.describe('when they agreed'),
  language: z.string().describe('of the page'),
  words: z.string().describe('all that the page showed'),
  chargeId: z.int().nullable().describe('of a payment; else null'),
  ipAddress,
  browser,
});

const paymentFacts = named('EvidencePayment', {
  chargeId,
  amount: z.number().describe('fees included'),
  currency,
  status: transactionStatusSchema.describe('as it is now'),
  initiator: z.enum(['guest', 'property', 'phone']).describe('see Who pays'),
  description: z.string().nullable().describe('as the caller gave it'),
  at: shownTime.describe('of the outcome, or else when it was made'),
  cardType: z.string().describe('the brand in lower case'),
  cardNumber: last4,
  cardHolderName: z.string().nullable().describe('as it was entered'),
  bankStep: z
    .object({
      askedAt: shownTime.describe('when the bank wanted that first'),
      result: z.enum(['confirmed', 'notConfirmed', 'open']).describe('what came of it'),
    })
    .nullable()
    .describe("where the guest's bank wanted to verify them; else null"),
  disputed: z.boolean().describe('whether it has a dispute'),
});

const refundFacts = named('EvidenceRefund', {
  refundId: z.int().describe('of the refund'),
  chargeId,
  amount: z.number().describe('what the guest got back'),
  currency,
  status: z.enum(refunds.status.enumValues).describe('as it is now'),
  askedAt: shownTime.describe('when it was asked for'),
  refundedAt: shownTime.nullable().describe('null unless it was made'),
});

const mailFacts = named('EvidenceMail', {
  kind: z.enum(mails.kind.enumValues).describe('what it told'),
  sentAt: shownTime.describe('when it was sent'),
});

const openingFacts = z
  .object({ at: shownTime.describe('when it was opened'), ipAddress, browser })
  .openapi('EvidenceOpening');

const stayFacts = named('EvidenceStay', {
  happened: z
    .boolean()
    .describe('the PMS told of the arrival, or the departure is past and nothing cancelled'),
  status: z.enum(applications.currentStatus.enumValues).nullable().describe('of the application'),
  arrivedAt: shownTime.nullable().describe('as the PMS told'),
  departedAt: shownTime.nullable().describe('as the PMS told'),
});

const earlierFacts = named('EvidenceEarlierPayment', {
  chargeId,
  bookingReference: z.string().describe('the booking that it is of'),
  amount: z.number().describe('fees included'),
  currency,
  at: shownTime.describe('when it was taken'),
});

const factsSchema = named('EvidenceFacts', {
  booking: bookingFacts.describe('as it is now'),
  changes: z.array(changeFacts).describe('of the booking, the earliest first'),
  policy: policyFacts.nullable().describe('of cancellation; null if none is known'),
  agreements: z.array(agreementFacts).describe('what the guest agreed to on pages'),
  payments: z.array(paymentFacts).describe('of the booking, the earliest first'),
  refunds: z.array(refundFacts).describe('of the booking, the earliest first'),
  mails: z.array(mailFacts).describe('that were sent to the guest'),
  openings: z.array(openingFacts).describe("of the guest's page, by its links"),
  stay: stayFacts.describe('as the PMS told of it'),
  earlierPayments: z
    .array(earlierFacts)
    .describe('of the same card by the same guest, undisputed, the latest first'),
});

export type Facts = z.infer<typeof factsSchema>;

const documentSchema = named('EvidenceDocument', {
  kind: z.enum(['evidence', 'terms']).describe('`evidence`: the PDF'),
  title: z.string().describe('what it is'),
  url: z.string().describe('where it is'),
});

/** The acquirer's fields, each only where something is known. */
const suggestedFields = Object.fromEntries(
  evidenceFields.map((field) => [field, z.string().optional().describe(fieldMeanings[field])]),
);

/** What is known about a disputed charge (interface: Get the evidence). */
export const evidenceSchema = named('Evidence', {
  disputeId: z.string().describe("the gateway's id"),
  reason: z.string().describe("the gateway's word, such as `fraudulent`"),
  respondBy: shownTime.nullable().describe('when an answer is due at the latest'),
  facts: factsSchema.describe('all that is known'),
  documents: z.array(documentSchema).describe('the PDF of the evidence, and the terms'),
  missing: z
    .array(z.enum(evidenceParts))
    .describe('what would answer the reason, and is not known'),
  suggested: z
    .object(suggestedFields)
    .openapi('SuggestedEvidence')
    .describe("what `submit` sends, by the gateway's names of its fields"),
});

export type EvidenceView = z.infer<typeof evidenceSchema>;
