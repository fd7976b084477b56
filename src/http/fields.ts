import { z } from '@hono/zod-openapi';
import { cardFacts, holdsCardNumber } from '../core/cardNumbers.ts';
import { type AmountFault, toMinor } from '../core/money.ts';
import { instantOf, parseDayMonthYear, parseIsoDate } from '../core/time.ts';

/** Decimal numerals as real clients send them in strings. */
const NUMERAL = /^[+-]?\d{1,20}(\.\d{1,20})?$/;

/** Printable characters and inner spaces: no control, format or unpaired surrogate characters, no outer space. */
const PRINTABLE = /^(?! )[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}(?<! )$/u;

const amountMessages = {
  amount_precision: 'The amount is finer than the currency allows.',
  amount_out_of_range: 'The amount is out of range.',
} as const satisfies Record<AmountFault, string>;

/** What is stored must not be a card number. */
export const CARD_NUMBER = {
  params: { code: 'holds_card_number' },
  message: 'This must not be a card number.',
};

function isNoCardNumber(value: string): boolean {
  return cardFacts(value) === null;
}

/** A PMS booking reference (decisions: section 1). */
export const reference = z
  .string()
  .regex(PRINTABLE, '1 to 64 printable characters without surrounding space.')
  .refine(isNoCardNumber, CARD_NUMBER)
  .openapi({
    example: 'RES-1001',
    description: 'PMS booking reference',
    pattern: PRINTABLE.source,
  });

/** An amount above 0, read into minor units of a currency with this many decimals. */
export function amount(exponent: number) {
  return decimal(exponent, 1).openapi({ type: ['number', 'string'], example: 150 });
}

/** An amount of 0 or more, read into minor units. */
export function cost(exponent: number) {
  return decimal(exponent, 0).openapi({ type: ['number', 'string'], example: 980.5 });
}

function decimal(exponent: number, lowestMinor: 0 | 1) {
  return z
    .union([z.number(), z.string().regex(NUMERAL)], {
      error: 'A number, or a decimal number in a string.',
    })
    .transform((value, context) => {
      const minor = toMinor(value, exponent, lowestMinor);
      if (minor.ok) return minor.value;
      context.addIssue({
        code: 'custom',
        params: { code: minor.error },
        message: amountMessages[minor.error],
      });
      return z.NEVER;
    });
}

/** A `d-m-Y` date of a day that exists, read into `YYYY-MM-DD`. */
export const dayMonthYear = date(parseDayMonthYear, 'A day that exists, as DD-MM-YYYY.').openapi({
  type: 'string',
  example: '14-02-2027',
});

/** A `YYYY-MM-DD` date of a day that exists. */
export const isoDate = date(parseIsoDate, 'A day that exists, as YYYY-MM-DD.').openapi({
  type: 'string',
  example: '2027-02-14',
});

function date(parse: (text: string) => string | null, message: string) {
  return z.string().transform((text, context) => {
    const parsed = parse(text);
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', params: { code: 'invalid_date' }, message });
    return z.NEVER;
  });
}

/** A description: at most 500 characters, and no card number in it. */
export const description = z
  .string()
  .max(500, { abort: true })
  .refine((text) => !holdsCardNumber(text), CARD_NUMBER)
  .openapi({ example: 'Deposit for two nights' });

/** An identifier that this service gave to a charge. */
export const chargeId = z
  .int()
  .positive()
  .openapi({ example: 371022640840704, description: 'The id of a charge' });

/** A person's or a channel's name: where a card number may be typed by mistake, but must not be kept. */
export function name(longest: number) {
  return text(longest).refine((value) => !holdsCardNumber(value), CARD_NUMBER);
}

/** A code or number of another system: long ones may hold a card number's digits by chance, but may not be one. */
export function code(longest: number) {
  return text(longest).refine(isNoCardNumber, CARD_NUMBER);
}

/** A text with a greatest length, and at least one character. */
export function text(longest: number) {
  // What is too long is not looked at any further.
  return z.string().min(1).max(longest, { abort: true });
}

/**
 * An instant that lies ahead, ISO 8601 with offset: kept as it was written, and read into milliseconds. With
 * `pastTimes` it may have passed.
 */
export function futureInstant(latestMs: (nowMs: number) => number, pastTimes: boolean) {
  return z
    .string()
    .transform((text, context) => {
      const atMs = instantOf(text);
      const nowMs = Date.now();
      const earliestMs = pastTimes ? Number.NEGATIVE_INFINITY : nowMs;
      const fault = instantFault(atMs, earliestMs, latestMs(nowMs));
      if (atMs !== null && fault === null) return { text, atMs };
      context.addIssue({
        code: 'custom',
        params: { code: fault },
        message: 'A time ahead, ISO 8601 with offset, within what is allowed.',
      });
      return z.NEVER;
    })
    .openapi({ type: 'string', example: '2027-02-10T09:00:00+08:00' });
}

function instantFault(atMs: number | null, earliestMs: number, latestMs: number): string | null {
  if (atMs === null) return 'invalid_time';
  if (atMs <= earliestMs) return 'time_in_past';
  return atMs > latestMs ? 'time_too_far' : null;
}

/** How many entries a page of a list may have. */
export const pageLimit = z.int().min(1).max(500).openapi({ example: 100 });

/** Where a page goes on: what `nextCursor` of the page before said. */
export const cursor = z
  .string()
  .regex(/^\d{1,16}$/, 'A cursor from an earlier answer.')
  .transform(Number)
  .openapi({ type: 'string' });

/** What an administrator calls a property or a portfolio. */
export const identifier = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/,
    'Letters, digits, dashes, underscores.',
  )
  .openapi({ example: 'demo' });
