import { z } from '@hono/zod-openapi';
import { boundOf } from '../core/bounds.ts';
import {
  holdsCardNumber,
  identifierHoldsCardNumber,
  phoneHoldsCardNumber,
} from '../core/cardNumbers.ts';
import { type AmountFault, MAX_AMOUNT_MINOR, toMinor } from '../core/money.ts';
import { instantOf, parseDayMonthYear, parseIsoDate } from '../core/time.ts';

/** A decimal number in a string, as real clients send it. */
const NUMERAL = /^[+-]?\d{1,20}(\.\d{1,20})?$/;

/** Printable characters and inner spaces, without control, format and unpaired surrogate characters. */
const PRINTABLE = /^(?! )[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}(?<! )$/u;

/** The same for readers of the OpenAPI document, whose patterns know no classes of characters. */
const PRINTABLE_FOR_ALL = '^\\S(?:.{0,62}\\S)?$';

/** What is wrong with an amount, for the caller. */
export const amountMessages = {
  amount_precision: 'The amount has more decimals than its currency.',
  amount_out_of_range: 'The amount is out of range.',
} as const satisfies Record<AmountFault, string>;

/** A share in per cent, with at most two decimals. */
export const percent = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, {
    params: { code: 'invalid_value' },
    error: 'Use at most two decimals.',
  });

/** Whether a value may be looked through: what is too long, or no text, is at fault already. */
export function isText(read: { readonly issues: readonly { readonly code?: string }[] }): boolean {
  return read.issues.every(({ code }) => code !== 'invalid_type' && code !== 'too_big');
}

/** The service never stores a card number. */
export const CARD_NUMBER = {
  params: { code: 'card_number' },
  error: 'Card numbers are not allowed here.',
  when: isText,
};

/** A text of this interface has no control characters and no unpaired surrogates. */
const NOT_CLEAN = {
  params: { code: 'invalid_format' },
  error: 'Use no control characters and no unpaired surrogates.',
  when: isText,
};

/** A member that is true, false or left out. */
export function flag(meaning: string) {
  return z.boolean().optional().describe(meaning);
}

/** A PMS booking reference (interface: Data types). */
export const reference = z
  .string()
  .regex(PRINTABLE, 'Use 1 to 64 printable characters, with no space at either end.')
  .refine(isNoCardIdentifier, CARD_NUMBER)
  .openapi('Reference', {
    example: 'RES-1001',
    description: 'of a booking',
    pattern: PRINTABLE_FOR_ALL,
  });

/**
 * An amount as callers write it. Readers of the OpenAPI document learn what numbers there are in any currency: in a union,
 * so that each of its types has the bounds that it can have.
 */
function written(bounds: { readonly minimum?: number; readonly exclusiveMinimum?: 0 }) {
  const number = z.number().openapi({ ...bounds, maximum: MAX_AMOUNT_MINOR });
  return z.union([number, z.string().regex(NUMERAL)], {
    error: 'Send a number, or a decimal number in a string.',
  });
}

/** An amount above 0, as callers write it. */
export const writtenAmount = written({ exclusiveMinimum: 0 }).openapi('Amount', {
  example: 150,
  description: "above 0, in the property's currency",
});

/** An amount of 0 or more, whose currency the body's schema does not know: the handler reads it into minor units. */
export const rawCost = written({ minimum: 0 })
  .refine((amount) => !(Number(amount) < 0), {
    params: { code: 'amount_out_of_range' },
    error: amountMessages.amount_out_of_range,
  })
  .openapi('Cost', {
    example: 980.5,
    description: "0 or more, in the property's currency",
  });

const rawSigned = written({ minimum: -MAX_AMOUNT_MINOR }).openapi('SignedAmount', {
  example: 154.64,
  description: "of either sign, in the property's currency",
});

/** An amount above 0. Reads it into minor units of a currency with `exponent` decimals. */
export function amount(exponent: number) {
  return decimal(writtenAmount, exponent, 1);
}

/** An amount of 0 or more. Reads it into minor units of a currency with `exponent` decimals. */
export function cost(exponent: number) {
  return decimal(rawCost, exponent, 0);
}

/** An amount of either sign. Reads it into minor units of a currency with `exponent` decimals. */
export function signedAmount(exponent: number) {
  return decimal(rawSigned, exponent, -MAX_AMOUNT_MINOR);
}

/** Reads an amount into minor units; one that its currency does not have, or below `lowestMinor`, is an issue. */
function decimal(schema: ReturnType<typeof written>, exponent: number, lowestMinor: number) {
  return schema.transform((value, context) => {
    const minor = toMinor(value, exponent, lowestMinor);
    if (minor.ok) return minor.value;
    const message = amountMessages[minor.error];
    context.addIssue({ code: 'custom', params: { code: minor.error }, message });
    return z.NEVER;
  });
}

/** A text that `parse` reads; null refuses it with the code and the message. */
export function readText<T>(
  parse: (text: string) => T | null,
  code: string,
  message: string,
  schema = z.string(),
) {
  return schema.transform((text, context): T => {
    const read = parse(text);
    if (read !== null) return read;
    context.addIssue({ code: 'custom', params: { code }, message });
    return z.NEVER;
  });
}

/** An existing day as `DD-MM-YYYY`. Reads it into `YYYY-MM-DD`. */
export const dayMonthYear = readText(
  parseDayMonthYear,
  'invalid_date',
  'Use an existing day as DD-MM-YYYY.',
).openapi({
  pattern: '^\\d{2}-\\d{2}-\\d{4}$',
  example: '14-02-2027',
});

export const isoDate = readText(
  parseIsoDate,
  'invalid_date',
  'Use an existing day as YYYY-MM-DD.',
).openapi({
  format: 'date',
  example: '2027-02-14',
});

/** A bound of time, by a local day or an instant. */
export const bound = readText(
  boundOf,
  'invalid_value',
  'Use a day as YYYY-MM-DD or DD-MM-YYYY, or a time with offset.',
).openapi({ example: '2027-02-14' });

/** A description of at most 500 characters, without a card number in it. */
export const description = z
  .string()
  .max(500)
  .refine(isClean, NOT_CLEAN)
  .refine((value) => !holdsCardNumber(value), CARD_NUMBER)
  .openapi({ example: 'Deposit for two nights' });

/** This service's identifier of a charge. */
export const chargeId = z
  .int()
  .positive()
  .openapi('ChargeId', { example: 371022640840704, description: 'of a charge' });

export function wholeNumber(least: number, most: number) {
  return z.int().min(least).max(most);
}

/** How many characters a text has at least: none where an empty text takes a former value away. */
type Fewest = 0 | 1;

/** A free text on one line, such as a name, without a card number in it. */
export function name(longest: number, fewest: Fewest = 1) {
  return line(longest, fewest).refine((value) => !holdsCardNumber(value), CARD_NUMBER);
}

/** A free text that may have several lines, separated by line feeds, without a card number in it. */
export function lines(longest: number, fewest: Fewest = 1) {
  return bounded(longest, fewest)
    .refine((value) => isClean(value.replaceAll('\n', '')), NOT_CLEAN)
    .refine((value) => !holdsCardNumber(value), CARD_NUMBER);
}

/** An identifier: a code or number of this or another system. Numbers of cards are refused. */
export function code(longest: number) {
  return line(longest).refine(isNoCardIdentifier, CARD_NUMBER);
}

/** An identifier of any length, which may be empty. */
export const identifierText = z
  .string()
  .refine(isClean, NOT_CLEAN)
  .refine(isNoCardIdentifier, CARD_NUMBER);

/** A phone number or a PMS's confirmation number. */
export function phone(longest: number, fewest: Fewest = 1) {
  return line(longest, fewest).refine((value) => !phoneHoldsCardNumber(value), CARD_NUMBER);
}

/** Another check of a text: that it is an identifier without a card number in it. */
export function isNoCardIdentifier(value: string): boolean {
  return !identifierHoldsCardNumber(value);
}

export const email = z
  .email()
  .max(254)
  .refine(isNoCardIdentifier, CARD_NUMBER)
  .openapi({ example: 'guest@hotel.com' });

/**
 * An id that this service makes in the form `own`. Its hexadecimal digits can make a card number by chance, so an id of
 * that form is not searched for one: any other text is.
 */
export function ownId(own: RegExp, longest = 64) {
  const isHarmless = (value: string) => own.test(value) || isNoCardIdentifier(value);
  return line(longest).refine(isHarmless, CARD_NUMBER);
}

export const cardToken = ownId(/^[0-9a-f]{32}$/);

/** The id of a message, a report or a difference. */
export const uuid = ownId(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The acquirer's id of an operation or a dispute. The sandbox's are made here. */
export const gatewayId = ownId(/^sandbox_[0-9a-f]{24}$/, 200);

/** The acquirer's own id of a card that it keeps. The sandbox's are made here. */
export const gatewayCard = ownId(/^vault_[0-9a-f]{24}$/, 200);

/** A clean text of `fewest` to `longest` characters on one line. */
function line(longest: number, fewest: Fewest = 1) {
  return bounded(longest, fewest).refine(isClean, NOT_CLEAN);
}

function bounded(longest: number, fewest: Fewest) {
  const text = fewest === 0 ? z.string() : z.string().min(fewest);
  return text.max(longest);
}

/** Whether a text is well-formed Unicode without control characters. */
function isClean(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** How times are written, for readers of the OpenAPI document. */
const INSTANT = { format: 'date-time', example: '2027-02-10T09:00:00+08:00' };

/** A time, ISO 8601 with offset, in the years 1 to 9999 of UTC. Reads it into milliseconds since 1970. */
export const instant = readText(
  instantOf,
  'invalid_time',
  'Use a time as ISO 8601 with offset.',
).openapi(INSTANT);

/** A time as above, kept as the caller wrote it. */
export const instantText = z
  .string()
  .refine((text) => instantOf(text) !== null, {
    params: { code: 'invalid_time' },
    error: 'Use a time as ISO 8601 with offset.',
  })
  .openapi(INSTANT);

export interface TimeJudge {
  /** Whether it may also be past. */
  readonly pastTimes: boolean;
  /** What the property's clock shows. */
  readonly now: () => number;
}

/** An instant that has passed, as {@link instant} reads it. */
export function pastInstant({ now }: TimeJudge) {
  return instant.refine((atMs) => atMs <= now(), {
    params: { code: 'time_in_future' },
    message: 'Use a time that has passed.',
  });
}

/** A future instant, ISO 8601 with offset: the original text and its milliseconds since 1970. */
export function futureInstant(latestMs: (nowMs: number) => number, { pastTimes, now }: TimeJudge) {
  return z
    .string()
    .transform((text, context) => {
      const atMs = instantOf(text);
      const nowMs = now();
      const earliestMs = pastTimes ? Number.NEGATIVE_INFINITY : nowMs;
      const issue = instantIssue(atMs, earliestMs, latestMs(nowMs));
      if (atMs !== null && issue === null) return { text, atMs };
      context.addIssue({
        code: 'custom',
        params: { code: issue },
        message: 'Use a future time within the limit, as ISO 8601 with offset.',
      });
      return z.NEVER;
    })
    .openapi(INSTANT);
}

function instantIssue(atMs: number | null, earliestMs: number, latestMs: number): string | null {
  if (atMs === null) return 'invalid_time';
  if (atMs <= earliestMs) return 'time_in_past';
  return atMs > latestMs ? 'time_too_far' : null;
}

/** An administrator's identifier of a property or a portfolio. */
export const identifier = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/,
    'Use letters, digits, dashes and underscores.',
  )
  .refine(isNoCardIdentifier, CARD_NUMBER)
  .openapi({ example: 'demo' });
