import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { andThen, ok } from '../../core/result.ts';
import { offsetTimestamp, yearsAfterMs } from '../../core/time.ts';
import type { CallerProperty } from '../../http/context.ts';
import { amount, cardToken, flag, futureInstant, reference } from '../../http/fields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import type { SchemaParameters } from '../../http/readRequest.ts';
import {
  type QuoteCommand,
  type QuoteWithId,
  quoteWork,
  readQuote,
} from '../../money/payments/quote.ts';
import { LONGEST_SCHEDULE_YEARS } from '../../money/payments/rules.ts';
import { refusalsSchema } from '../../money/payments/views.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { named, shownTime } from '../../platform/views.ts';
import { BRANDS } from '../../records/properties/rules.ts';
import { cards } from '../../schema/cardTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import { country } from '../admin/schemas.ts';

/** The body of quote: an amount without fees, and what is known of the payment. */
function quoteBody({ exponent, times }: SchemaParameters) {
  return z.object({
    reference,
    amount: amount(exponent).describe('without fees'),
    token: cardToken.optional().describe('a card of the property; goes before the next three'),
    cardType: z.enum(BRANDS).optional().describe("describes a card, and goes before the booking's"),
    funding: z
      .enum(cards.funding.enumValues)
      .optional()
      .describe("describes a card, and goes before the booking's"),
    issuerCountry: country.optional().describe("describes a card, and goes before the booking's"),
    isVirtualCard: flag('as in a charge'),
    transactionType: z.enum(transactions.purpose.enumValues).optional().describe('as in a charge'),
    preAuth: flag('a pre-authorization'),
    time: futureInstant((nowMs) => yearsAfterMs(nowMs, LONGEST_SCHEDULE_YEARS), times)
      .optional()
      .describe('a schedule; with `preAuth`, a pre-authorization at that time'),
  });
}

type QuoteBody = z.infer<ReturnType<typeof quoteBody>>;

const quoteSchema = named('Quote', {
  quoteId: z.string().describe('names the quote when a charge is made'),
  amount: z.number().describe('what the card would be charged, fees included'),
  creditCardFee: z.number().describe('see Fees'),
  transactionFee: z.number().describe('see Fees'),
  effectivePercent: z
    .number()
    .describe('both fees in percent of the requested amount, to three decimals'),
  currency: z.string().describe('ISO 4217 code'),
  rule: z.int().nullable().describe('the index of the fee rule that fits: see Fee rules'),
  law: z
    .object({
      jurisdiction: z.string().describe('whose law it is'),
      since: z.string().describe('from when on it holds'),
      source: z.string().describe('where it stands'),
    })
    .nullable()
    .describe('what binds the card: see Surcharge law'),
  dueBefore: z.number().describe('what is due'),
  dueAfter: z
    .number()
    .describe('what is due after it; a schedule counts as paid, a hold or Bond does not'),
  allowed: z.boolean().describe("whether the booking's state allows it"),
  refusals: refusalsSchema,
  warnings: z.array(z.string()).describe('what would stand beside `success`'),
  validUntil: shownTime.describe('15 minutes ahead'),
});

/** The operation that says what a payment would come to (interface: Quotes). */
export function registerQuote(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/quote',
    summary: 'Preview a charge, schedule or pre-authorization',
    scope: 'payments:read',
    body: quoteBody,
    answer: { quote: quoteSchema },
    problems: [
      'booking_not_found',
      'token_not_found',
      'amount_precision',
      'amount_out_of_range',
      'time_in_past',
      'time_too_far',
    ],
    handle: async ({ c, body, property }) => {
      const work = quoteWork({ ...c.var, env: c.env }, property, body.reference);
      const quoted = await readQuote(work, commandOf(body, property));
      return andThen(quoted, (quote) => ok({ quote: quoteView(quote, property) }));
    },
  });
}

function commandOf(body: QuoteBody, property: CallerProperty): QuoteCommand {
  const { time } = body;
  return {
    kind: body.preAuth ? 'authorization' : time ? 'schedule' : 'charge',
    atMs: time?.atMs ?? propertyNow(property),
    currency: property.currency,
    requestedMinor: body.amount,
    virtualCard: body.isVirtualCard ?? false,
    description: null,
    purpose: body.transactionType ?? 'Manual',
    cardToken: body.token ?? null,
    described: {
      ...(body.cardType && { brand: body.cardType }),
      ...(body.funding && { funding: body.funding }),
      ...(body.issuerCountry && { issuerCountry: body.issuerCountry }),
    },
  };
}

function quoteView(
  quote: QuoteWithId,
  { currency, timeZone }: CallerProperty,
): z.infer<typeof quoteSchema> {
  const { priced, law } = quote;
  const decimal = (minor: number) => storedDecimal(minor, currency);
  const feesMinor = priced.cardFeeMinor + priced.transactionFeeMinor;
  return {
    quoteId: quote.quoteId,
    amount: decimal(priced.amountMinor),
    creditCardFee: decimal(priced.cardFeeMinor),
    transactionFee: decimal(priced.transactionFeeMinor),
    effectivePercent: Math.round((feesMinor * 100_000) / priced.requestedMinor) / 1_000,
    currency,
    rule: quote.rule,
    law: law && { jurisdiction: law.jurisdiction, since: law.since, source: law.source },
    dueBefore: decimal(quote.dueBeforeMinor),
    dueAfter: decimal(quote.dueAfterMinor),
    allowed: quote.refusals.length === 0,
    refusals: quote.refusals.map(({ code, detail }) => ({ code, detail })),
    warnings: [...quote.warnings],
    validUntil: offsetTimestamp(quote.untilMs, timeZone),
  };
}
