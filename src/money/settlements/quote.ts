import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { newReference } from '../../platform/ids.ts';
import { named, shownTime } from '../../platform/views.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { QuoteWork } from '../payments/quote.ts';
import { refusalsSchema } from '../payments/views.ts';
import { readCancellationFacts } from './facts.ts';
import { basisOf, sealCancellation } from './quoteToken.ts';
import {
  type CancellationRequest,
  type DecidedCancellation,
  decideCancellation,
  type GivenBack,
} from './rules/decideCancellation.ts';

/** What cancelling a booking would come to, with the sealed id by which exactly that is done. */
export interface CancellationQuote extends DecidedCancellation {
  readonly quoteId: string;
  readonly reason: CancellationRequest['reason'];
  readonly untilMs: number;
}

/** Says what cancelling a booking would come to (interface: Quote a cancellation). It writes nothing. */
export async function quoteCancellation(
  { database, keyring, name, nowMs, stepMinor }: QuoteWork,
  request: CancellationRequest,
): Promise<Result<CancellationQuote>> {
  const facts = await readCancellationFacts(database, name, { nowMs, stepMinor });
  if (!facts) return err(bookingNotFound());
  const decided = decideCancellation(request, facts);
  if (!decided.ok) return decided;
  const untilMs = nowMs + LIVES.quote;
  const quoteId = await sealCancellation(keyring, name.propertyId, {
    id: newReference(),
    bookingReference: name.reference,
    ...request,
    basis: await basisOf(keyring, facts, decided.value),
    untilMs,
  });
  return ok({ ...decided.value, quoteId, reason: request.reason, untilMs });
}

const part = z.object({
  chargeId: z.int().describe('the charge, hold or schedule'),
  amount: z.number().describe('in the currency of the booking'),
});

export const cancellationSchema = named('Cancellation', {
  cancellationQuoteId: z.string().describe('names the quote when it is applied'),
  reason: z.enum(['guest', 'property', 'noShow']).describe('as it was asked for'),
  rule: z
    .union([z.int(), z.enum(['noShow', 'property', 'override'])])
    .describe("the index of the policy's rule that holds, or what goes before it"),
  keep: z.number().describe('what the property keeps, without fees'),
  paid: z.number().describe('what is paid: see Get the balance'),
  charge: z
    .object({
      amount: z.number().describe('without fees'),
      creditCardFee: z.number().describe('see Fees'),
      transactionFee: z.number().describe('see Fees'),
      cardNumber: z.string().describe('the last four digits'),
    })
    .nullable()
    .describe("what the booking's card would be charged"),
  captures: z.array(part).describe('what of holds would be captured, without fees'),
  refunds: z
    .array(part)
    .describe('what would be given back, with the fees that go back; Bonds are left out'),
  releases: z.array(part).describe('holds that would be released'),
  bonds: z.array(part).describe('Bonds that would be given back'),
  cancelledSchedules: z.array(part).describe('schedules that would be cancelled'),
  planCancelled: z.string().nullable().describe('the plan that would be cancelled'),
  uncollectable: z.number().describe('what would be kept, but no card can be charged'),
  allowed: z.boolean().describe("whether the booking's state allows it"),
  refusals: refusalsSchema,
  warnings: z.array(z.string()).describe('what else is worth knowing'),
  validUntil: shownTime.describe('15 minutes ahead'),
});

export function cancellationView(
  quote: CancellationQuote,
  { currency, timeZone }: Pick<PropertyRow, 'currency' | 'timeZone'>,
): z.infer<typeof cancellationSchema> {
  const decimal = (minor: number) => storedDecimal(minor, currency);
  const whole = (rows: DecidedCancellation['releases']) =>
    rows.map(({ id, requestedMinor }) => ({ chargeId: id, amount: decimal(requestedMinor) }));
  const back = (parts: readonly GivenBack[]) =>
    parts.map(({ charge, withFeesMinor }) => ({
      chargeId: charge.id,
      amount: decimal(withFeesMinor),
    }));
  const { charge } = quote;
  return {
    cancellationQuoteId: quote.quoteId,
    reason: quote.reason,
    rule: quote.rule,
    keep: decimal(quote.keepMinor),
    paid: decimal(quote.paidMinor),
    charge: charge && {
      amount: decimal(charge.priced.requestedMinor),
      creditCardFee: decimal(charge.priced.cardFeeMinor),
      transactionFee: decimal(charge.priced.transactionFeeMinor),
      cardNumber: charge.card.last4,
    },
    captures: quote.captures.map(({ hold, priced }) => ({
      chargeId: hold.id,
      amount: decimal(priced.requestedMinor),
    })),
    refunds: back(quote.refunds),
    releases: whole(quote.releases),
    bonds: back(quote.bonds),
    cancelledSchedules: whole(quote.cancelledSchedules),
    planCancelled: quote.planId,
    uncollectable: decimal(quote.uncollectableMinor),
    allowed: quote.refusals.length === 0,
    refusals: quote.refusals.map(({ code, detail }) => ({ code, detail })),
    warnings: [...quote.warnings],
    validUntil: offsetTimestamp(quote.untilMs, timeZone),
  };
}
