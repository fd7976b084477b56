import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../core/money.ts';
import { offsetTimestamp, startOfDayMs } from '../core/time.ts';
import {
  type DisbursementItemRow,
  type DisbursementRow,
  disbursementItems,
  disbursements,
} from '../schema/disbursementTables.ts';

/** The status of a disbursement. */
export const disbursementStatusSchema = z.enum(disbursements.status.enumValues);

/** A disbursement in a list (interface: The disbursement object). */
export const disbursementSchema = z
  .object({
    disbursementId: z.string(),
    gatewayId: z.string().describe('Who pays out.'),
    status: disbursementStatusSchema,
    currency: z.string(),
    grossAmount: z.number(),
    fee: z.number(),
    netAmount: z.number(),
    description: z.string(),
    timeEffective: z.string(),
    expectedArrivalDate: z.string().describe('A time with offset: the start of the day.'),
  })
  .openapi('Disbursement');

/** One movement of money within a disbursement. */
const itemSchema = z
  .object({
    itemId: z.string(),
    gatewayTransactionId: z.string().nullable(),
    description: z.string().describe("The booking's reference, where there is one."),
    bookingReference: z.string().nullable(),
    chargeId: z.int().nullable().describe('The charge that the movement is about.'),
    refundId: z.int().nullable(),
    reportingCategory: z.enum(disbursementItems.category.enumValues),
    currency: z.string(),
    grossAmount: z.number().describe('Negative for money that leaves the property.'),
    fee: z.number(),
    netAmount: z.number(),
    threeDSAuthenticated: z.boolean(),
    timeEffective: z.string(),
    createdOn: z.string(),
    timeAvailable: z.string(),
  })
  .openapi('DisbursementItem');

/** A disbursement with its movements. */
export const detailedDisbursementSchema = disbursementSchema
  .extend({ transactions: z.array(itemSchema) })
  .openapi('DisbursementDetails');

/** The columns of a disbursement that lists show. */
export type ListedDisbursement = Omit<DisbursementRow, 'propertyId' | 'dueAtMs' | 'paysAtMs'>;

/** Converts a disbursement for a list. */
export function disbursementView(
  row: ListedDisbursement,
  timeZone: string,
): z.infer<typeof disbursementSchema> {
  return {
    disbursementId: row.id,
    gatewayId: row.gateway,
    status: row.status,
    currency: row.currency,
    ...amountsView(row),
    description: row.description,
    timeEffective: offsetTimestamp(row.effectiveAtMs, timeZone),
    expectedArrivalDate: offsetTimestamp(startOfDayMs(row.arrivalDate, timeZone), timeZone),
  };
}

/** A disbursement with its items, the bookings that they name, and the records of these that they can be. */
interface Detailed {
  readonly row: DisbursementRow;
  readonly items: readonly DisbursementItemRow[];
  readonly bookings: readonly string[];
  readonly records: readonly ItemRecord[];
}

/** A charge, refund or dispute of this service, by the acquirer's id of it. */
interface ItemRecord {
  readonly gatewayReference: string | null;
  readonly chargeId: number;
  readonly refundId: number | null;
}

/** Converts a disbursement with its movements. */
export function detailedView(
  { row, items, bookings, records }: Detailed,
  timeZone: string,
): z.infer<typeof detailedDisbursementSchema> {
  const named = new Set(bookings);
  const known = new Map(records.map((record) => [record.gatewayReference, record]));
  return {
    ...disbursementView(row, timeZone),
    transactions: items.map((item) => ({
      ...itemView(item, timeZone),
      bookingReference: named.has(item.description) ? item.description : null,
      ...ownIds(known.get(item.gatewayTransactionId ?? '')),
    })),
  };
}

function ownIds(record: ItemRecord | undefined) {
  return { chargeId: record?.chargeId ?? null, refundId: record?.refundId ?? null };
}

function itemView(item: DisbursementItemRow, timeZone: string) {
  return {
    itemId: item.id,
    gatewayTransactionId: item.gatewayTransactionId,
    description: item.description,
    reportingCategory: item.category,
    currency: item.currency,
    ...amountsView(item),
    threeDSAuthenticated: item.threeDsAuthenticated,
    timeEffective: offsetTimestamp(item.effectiveAtMs, timeZone),
    createdOn: offsetTimestamp(item.createdAtMs, timeZone),
    timeAvailable: offsetTimestamp(item.availableAtMs, timeZone),
  };
}

function amountsView({
  currency,
  grossMinor,
  feeMinor,
  netMinor,
}: Pick<DisbursementRow, 'currency' | 'grossMinor' | 'feeMinor' | 'netMinor'>) {
  return {
    grossAmount: storedDecimal(grossMinor, currency),
    fee: storedDecimal(feeMinor, currency),
    netAmount: storedDecimal(netMinor, currency),
  };
}
