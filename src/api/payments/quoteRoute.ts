import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { ok } from '../../core/result.ts';
import { offsetTimestamp, yearsAfterMs } from '../../core/time.ts';
import { selectGateway } from '../../gateways/select.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { amount, cardToken, futureInstant, reference } from '../../http/fields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import type { SchemaParameters } from '../../http/readRequest.ts';
import { type QuoteCommand, type QuoteWithId, readQuote } from '../../money/payments/readQuote.ts';
import { LONGEST_SCHEDULE_YEARS } from '../../money/payments/rules.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { BRANDS } from '../../records/properties/rules.ts';
import { cards } from '../../schema/cardTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import { country } from '../admin/schemas.ts';

/** The body of quote: an amount without fees, and what is known of the payment. */
function quoteBody({ exponent, times }: SchemaParameters) {
  return z.object({
    reference,
    amount: amount(exponent),
    token: cardToken.optional(),
    cardType: z.enum(BRANDS).optional(),
    funding: z.enum(cards.funding.enumValues).optional(),
    issuerCountry: country.optional(),
    isVirtualCard: z.boolean().optional(),
    transactionType: z.enum(transactions.purpose.enumValues).optional(),
    preAuth: z.boolean().optional(),
    time: futureInstant((nowMs) => yearsAfterMs(nowMs, LONGEST_SCHEDULE_YEARS), times).optional(),
  });
}

type QuoteBody = z.infer<ReturnType<typeof quoteBody>>;

const quoteSchema = z
  .object({
    quoteId: z.string().describe('Charge exactly this with create, once, until `validUntil`.'),
    amount: z.number().describe('What the card would be charged, fees included.'),
    creditCardFee: z.number(),
    transactionFee: z.number(),
    effectivePercent: z.number().describe('Both fees, in percent of the requested amount.'),
    currency: z.string(),
    rule: z.int().nullable().describe('The index of the fee rule that fits.'),
    law: z
      .object({ jurisdiction: z.string(), since: z.string(), source: z.string() })
      .nullable()
      .describe('The law on surcharges that binds the card at that time.'),
    dueBefore: z.number(),
    dueAfter: z.number(),
    allowed: z.boolean(),
    refusals: z.array(z.object({ code: z.string(), detail: z.string() })),
    warnings: z.array(z.string()),
    validUntil: z.string(),
  })
  .openapi('Quote');

const quoteAnswer = z.object({ success: z.literal(true), quote: quoteSchema });

/** The operation that says what a payment would come to (interface: Quotes). */
export function registerQuote(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/quote',
      summary: 'Say what a charge, schedule or pre-authorization would come to',
      scope: 'payments:read',
      body: quoteBody,
      answer: quoteAnswer,
      problems: [
        'booking_not_found',
        'token_not_found',
        'amount_precision',
        'amount_out_of_range',
        'time_in_past',
        'time_too_far',
      ],
    },
    async ({ c, body, property }) => {
      const quoted = await readQuote(
        workOf(c, property, body.reference),
        commandOf(body, property),
      );
      if (!quoted.ok) return quoted;
      return ok({ success: true, quote: quoteView(quoted.value, property) });
    },
  );
}

function workOf(c: AppContext, property: CallerProperty, bookingReference: string) {
  const config = c.get('config');
  return {
    database: c.get('database'),
    keyring: config.keyring,
    name: { propertyId: property.id, reference: bookingReference },
    nowMs: propertyNow(property),
    stepMinor: selectGateway(config, c.env).amountStepMinor(property.currency),
  };
}

function commandOf(body: QuoteBody, property: CallerProperty): QuoteCommand {
  const { time } = body;
  return {
    kind: kindOf(body),
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

function kindOf({ preAuth, time }: QuoteBody): QuoteCommand['kind'] {
  if (preAuth) return 'authorization';
  return time ? 'schedule' : 'charge';
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
