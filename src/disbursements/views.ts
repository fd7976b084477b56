import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../core/money.ts';
import { pick } from '../core/pick.ts';
import { offsetTimestamp, startOfDayMs } from '../core/time.ts';
import { named, shownTime } from '../platform/views.ts';
import {
  type BankLineRow,
  type DisbursementItemRow,
  type DisbursementRow,
  disbursementItems,
  disbursements,
} from '../schema/disbursementTables.ts';
import { bankLineSchema, bankLineView } from './bank/views.ts';

export const disbursementStatusSchema = z.enum(disbursements.status.enumValues);

/** A disbursement in a list (interface: The disbursement object). */
export const disbursementSchema = named('Disbursement', {
  disbursementId: z
    .string()
    .describe("`sandbox-<property>-YYYY-MM-DD`, or Stripe's id of the payout"),
  gatewayId: z.string().describe('who pays out: `sandbox` or `stripe`'),
  status: disbursementStatusSchema,
  currency: z.string().describe('ISO 4217 code'),
  grossAmount: z.number().describe('the sum over its movements'),
  fee: z.number().describe('the sum over its movements'),
  netAmount: z.number().describe('the sum over its movements'),
  description: z.string().describe('for people'),
  timeEffective: shownTime.describe('when it was made'),
  expectedArrivalDate: shownTime.describe('a time with offset: the start of the day'),
  bankLine: z
    .union([bankLineSchema, z.null()])
    .describe('the line of an imported bank statement that it is; null for none so far'),
});

const itemSchema = named('DisbursementItem', {
  itemId: z.string().describe("the movement's own"),
  gatewayTransactionId: z
    .string()
    .nullable()
    .describe("the gateway's id of the charge, refund or dispute"),
  description: z.string().describe("the booking's reference, where the movement belongs to one"),
  bookingReference: z.string().nullable().describe('the booking, if this service knows it'),
  chargeId: z.int().nullable().describe('the charge that the movement is about'),
  refundId: z.int().nullable().describe('the refund that the movement is about'),
  reportingCategory: z
    .enum(disbursementItems.category.enumValues)
    .describe('`dispute`: also what comes back after one; `adjustment`: with Stripe only'),
  currency: z.string().describe('ISO 4217 code'),
  grossAmount: z.number().describe('negative for what leaves the property'),
  fee: z.number().describe('what the gateway keeps'),
  netAmount: z.number().describe('`grossAmount` less `fee`'),
  threeDSAuthenticated: z.boolean().describe("whether the cardholder's bank verified them"),
  timeEffective: shownTime.describe('when the movement counts'),
  createdOn: shownTime.describe('when the gateway recorded it'),
  timeAvailable: shownTime.describe('when it can be paid out'),
});

export const detailedDisbursementSchema = disbursementSchema
  .extend({ transactions: z.array(itemSchema).describe('its movements') })
  .openapi('DisbursementDetails');

/** A disbursement with its bank line. In events it has none: when they come, no statement has it yet. */
export interface ListedWithLine {
  readonly row: DisbursementRow;
  readonly bankLine: BankLineRow | null;
}

export function disbursementView(
  { bankLine: line, row }: ListedWithLine,
  timeZone: string,
): z.infer<typeof disbursementSchema> {
  return {
    disbursementId: row.id,
    gatewayId: row.gateway,
    ...pick(row, 'status', 'currency'),
    ...amountsView(row),
    description: row.description,
    timeEffective: offsetTimestamp(row.effectiveAtMs, timeZone),
    expectedArrivalDate: offsetTimestamp(startOfDayMs(row.arrivalDate, timeZone), timeZone),
    bankLine: line && bankLineView(line),
  };
}

/** A disbursement with its items, the bookings that they name, and the records of these that they can be. */
export interface DetailedDisbursement extends ListedWithLine {
  readonly items: readonly DisbursementItemRow[];
  readonly bookings: readonly string[];
  readonly records: readonly OwnRecord[];
}

/** A charge, refund or dispute of this service, by the acquirer's id of it. */
interface OwnRecord {
  readonly gatewayReference: string | null;
  readonly chargeId: number;
  readonly refundId: number | null;
}

export function detailedView(
  { items, bookings, records, ...listed }: DetailedDisbursement,
  timeZone: string,
): z.infer<typeof detailedDisbursementSchema> {
  const named = new Set(bookings);
  const known = new Map(records.map((record) => [record.gatewayReference, record]));
  return {
    ...disbursementView(listed, timeZone),
    transactions: items.map((item) => {
      const record = known.get(item.gatewayTransactionId ?? '');
      return {
        ...itemView(item, timeZone),
        bookingReference: named.has(item.description) ? item.description : null,
        chargeId: record?.chargeId ?? null,
        refundId: record?.refundId ?? null,
      };
    }),
  };
}

function itemView(item: DisbursementItemRow, timeZone: string) {
  return {
    itemId: item.id,
    ...pick(item, 'gatewayTransactionId', 'description'),
    reportingCategory: item.category,
    currency: item.currency,
    ...amountsView(item),
    threeDSAuthenticated: item.threeDsAuthenticated,
    timeEffective: offsetTimestamp(item.effectiveAtMs, timeZone),
    createdOn: offsetTimestamp(item.createdAtMs, timeZone),
    timeAvailable: offsetTimestamp(item.availableAtMs, timeZone),
  };
}

function amountsView(
  sums: Pick<DisbursementRow, 'currency' | 'grossMinor' | 'feeMinor' | 'netMinor'>,
) {
  const { currency, grossMinor, feeMinor, netMinor } = sums;
  return {
    grossAmount: storedDecimal(grossMinor, currency),
    fee: storedDecimal(feeMinor, currency),
    netAmount: storedDecimal(netMinor, currency),
  };
}
