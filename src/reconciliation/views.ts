import { z } from '@hono/zod-openapi';
import { exponentOf, toDecimal } from '../core/money.ts';
import { utcOrNull, utcTimestamp } from '../core/time.ts';
import { named, shownTime } from '../platform/views.ts';
import {
  type ExceptionRow,
  type ExceptionSide,
  exceptions,
} from '../schema/reconciliationTables.ts';

// In unions: a nullable reference would make every one of the document nullable.
const sideSchema = named('ExceptionSide', {
  status: z.string().describe('what it says became of it'),
  amount: z.number().nullable().describe('negative for money that leaves the property'),
  currency: z.string().nullable().describe('ISO 4217 code'),
  id: z.string().nullable().describe("a charge or refund of this service, or the acquirer's id"),
  at: shownTime.nullable().describe('in UTC'),
});

/** A difference between the acquirer's record and ours (interface: Reconciliation). */
export const exceptionSchema = named('ReconciliationException', {
  exceptionId: z.string().describe('for accepting it'),
  property: z.string().nullable().describe('null where nobody knows whose it is'),
  reference: z.string().nullable().describe("the booking's, if it is known"),
  kind: z.enum(exceptions.kind.enumValues).describe('in what the records differ'),
  ours: z.union([sideSchema, z.null()]).describe('what our record says; null where it has nothing'),
  theirs: z
    .union([sideSchema, z.null()])
    .describe("what the acquirer's record says; null where it has nothing"),
  foundAt: shownTime.describe('in UTC'),
  status: z.enum(exceptions.status.enumValues),
  resolution: z
    .enum(exceptions.resolution.enumValues)
    .nullable()
    .describe('`corrected`: the records agree; `accepted`: by an administrator'),
  resolvedAt: shownTime.nullable().describe('in UTC'),
  detail: z.string().describe('for people'),
});

/** Shows an exception; all times in UTC. */
export function exceptionView(row: ExceptionRow): z.infer<typeof exceptionSchema> {
  return {
    exceptionId: row.id,
    property: row.propertyId,
    reference: row.bookingReference,
    kind: row.kind,
    ours: row.ours && sideView(row.ours),
    theirs: row.theirs && sideView(row.theirs),
    foundAt: utcTimestamp(row.foundAtMs),
    status: row.status,
    resolution: row.resolution,
    resolvedAt: utcOrNull(row.resolvedAtMs),
    detail: row.detail,
  };
}

function sideView({ amountMinor, atMs, currency, id, status }: ExceptionSide) {
  // An acquirer may take payments of others in currencies that this service does not know.
  const exponent = currency === null ? null : exponentOf(currency);
  const amount =
    amountMinor === null || exponent === null ? null : toDecimal(amountMinor, exponent);
  return { status, amount, currency, id, at: utcOrNull(atMs) };
}
