import { testEnv } from '../api.ts';
import type { Place } from './service.ts';

/** D1's rows of one booking, as SQL gives them. */
export interface Rows {
  readonly booking: { readonly status: string; readonly card_token: string | null };
  readonly payments: readonly PaymentRow[];
  readonly refunds: readonly RefundRow[];
}

export interface PaymentRow {
  readonly id: number;
  readonly reference: string;
  readonly kind: string;
  readonly status: string;
  readonly requested_minor: number;
  readonly amount_minor: number;
  readonly refund_reserved_minor: number;
  readonly card_token: string;
  readonly attempts: number;
  readonly due_at_ms: number | null;
  readonly pending_operation: string | null;
}

export interface RefundRow {
  readonly id: number;
  readonly transaction_id: number;
  readonly reference: string;
  readonly command_reference: string;
  readonly status: string;
  readonly amount_minor: number;
}

export interface AuditRow {
  readonly id: number;
  readonly subject: string;
  readonly from_state: string | null;
  readonly to_state: string;
}

/** Which id belongs to what the model knows by a reference. */
export interface Ids {
  readonly payment: (ref: string) => number;
  readonly refund: (command: string, part: number) => number;
}

/** An id that nothing has. */
const NOTHING = 2;

/** Reads a booking and its money from D1 by plain SQL. */
export async function readRows({ propertyId, reference }: Place): Promise<Rows> {
  const { DB } = testEnv;
  const [bookings, payments, refunds] = await DB.batch(
    [
      'SELECT status, card_token FROM bookings WHERE property_id = ? AND reference = ?',
      `SELECT id, reference, kind, status, requested_minor, amount_minor, refund_reserved_minor, card_token, attempts,
         due_at_ms, pending_operation FROM transactions WHERE property_id = ? AND booking_reference = ? ORDER BY id`,
      `SELECT id, transaction_id, reference, command_reference, status, amount_minor
       FROM refunds WHERE property_id = ? AND booking_reference = ? ORDER BY id`,
    ].map((query) => DB.prepare(query).bind(propertyId, reference)),
  );
  return {
    booking: bookings?.results[0] as Rows['booking'],
    payments: payments?.results as PaymentRow[],
    refunds: refunds?.results as RefundRow[],
  };
}

/** Reads a booking's audit trail, oldest first. */
export async function readAudit({ propertyId, reference }: Place): Promise<AuditRow[]> {
  const { results } = await testEnv.DB.prepare(
    `SELECT id, subject, from_state, to_state
     FROM audit WHERE property_id = ? AND booking_reference = ? ORDER BY id`,
  )
    .bind(propertyId, reference)
    .all<AuditRow>();
  return results;
}

/** The ids of what was read. */
export function idsOf(rows: Rows): Ids {
  return {
    payment: (ref) => rows.payments.find(({ reference }) => reference === ref)?.id ?? NOTHING,
    refund: (command, part) =>
      rows.refunds.filter((row) => row.command_reference === command)[part]?.id ?? NOTHING,
  };
}
