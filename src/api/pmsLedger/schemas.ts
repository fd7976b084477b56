import { z } from '@hono/zod-openapi';
import { bound, code, ownId, signedAmount } from '../../http/fields.ts';
import { named } from '../../platform/views.ts';
import { MOST_LINES } from '../../pms/ledger/compare.ts';
import { isLineTime } from '../../pms/ledger/rules/compare.ts';

/** Fifteen digits, more than any id of this service has before 2031: longer numbers may be those of cards. */
const LARGEST_ID = 999_999_999_999_999;

/** The id of a transaction, as a number or as messages have it. Ids of this service may look like card numbers. */
const transactionId = z.union([z.int().positive().max(LARGEST_ID), ownId(/^\d{1,15}$/, 100)]);

/** A line of the PMS's ledger; its amount is read into minor units of a currency with `exponent` decimals. */
function ledgerLine(exponent: number) {
  return named('ReportedLine', {
    transactionId: transactionId
      .nullish()
      .describe("the message's `TransactionID`, where the PMS keeps it"),
    reference: code(100).describe("the message's `RelatedReference`"),
    type: z.enum(['Payment', 'Refund']).describe("the message's `Type`"),
    amountGross: signedAmount(exponent).describe("the message's `AmountGross`"),
    processedTime: z
      .string()
      .max(100)
      .refine(isLineTime, {
        params: { code: 'invalid_time' },
        error: 'Use a time with offset, a local time as YYYY-MM-DD HH:MM:SS, or a day.',
      })
      .nullish()
      .openapi({ example: '2027-02-10T09:00:00+08:00' })
      .describe("the message's `ProcessedTime`, a local time or a day"),
  }).transform(({ amountGross: amountMinor, ...line }) => ({ ...line, amountMinor }));
}

const span = {
  from: bound.describe('a day, or a time with offset'),
  to: bound.describe('a day is inclusive, a time exclusive'),
};

/** A span, with what the PMS's ledger has of it (pms: The PMS's ledger). */
export function ledgerReport(exponent: number) {
  return z.object({ ...span, lines: ledgerLines(exponent) });
}

/** The same in an envelope. */
export function reportData(exponent: number) {
  return z.object({ From: span.from, To: span.to, Lines: ledgerLines(exponent) });
}

function ledgerLines(exponent: number) {
  return longList(ledgerLine(exponent), MOST_LINES).describe('what the PMS has booked of the span');
}

/** A list of up to `most` entries. With more of them, none is read: a body of faults costs no more than a good one. */
function longList<Entry extends z.ZodType>(entry: Entry, most: number) {
  return z.preprocess((sent, context) => {
    if (!Array.isArray(sent) || sent.length <= most) return sent;
    const message = `At most ${most} entries.`;
    context.addIssue({ code: 'too_big', origin: 'array', maximum: most, input: sent, message });
    return z.NEVER;
  }, z.array(entry).max(most));
}
