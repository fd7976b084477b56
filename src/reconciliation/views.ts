import { z } from '@hono/zod-openapi';
import { exponentOf, toDecimal } from '../core/money.ts';
import { utcTimestamp } from '../core/time.ts';
import {
  type ExceptionRow,
  type ExceptionSide,
  exceptions,
} from '../schema/reconciliationTables.ts';

const sideSchema = z
  .object({
    status: z.string(),
    amount: z.number().nullable().describe('Negative for money that leaves the property.'),
    currency: z.string().nullable(),
    id: z.string().nullable().describe("A charge or refund of this service, or the acquirer's id."),
    at: z.string().nullable(),
  })
  .openapi('ExceptionSide');

/** A difference between the acquirer's record and ours (interface: Reconciliation). */
export const exceptionSchema = z
  .object({
    exceptionId: z.string(),
    property: z.string().nullable(),
    reference: z.string().nullable().describe('The reference of the booking, if it is known.'),
    kind: z.enum(exceptions.kind.enumValues),
    ours: sideSchema.nullable(),
    theirs: sideSchema.nullable(),
    foundAt: z.string(),
    status: z.enum(exceptions.status.enumValues),
    resolution: z.enum(exceptions.resolution.enumValues).nullable(),
    resolvedAt: z.string().nullable(),
    detail: z.string(),
  })
  .openapi('ReconciliationException');

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
    resolvedAt: row.resolvedAtMs === null ? null : utcTimestamp(row.resolvedAtMs),
    detail: row.detail,
  };
}

function sideView({ amountMinor, atMs, currency, id, status }: ExceptionSide) {
  // An acquirer may take payments of others in currencies that this service does not know.
  const exponent = currency === null ? null : exponentOf(currency);
  const amount =
    amountMinor === null || exponent === null ? null : toDecimal(amountMinor, exponent);
  return { status, amount, currency, id, at: atMs === null ? null : utcTimestamp(atMs) };
}
