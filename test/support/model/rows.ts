import { testEnv } from '../api.ts';
import { AUDIT, CHARGE_TOTALS } from '../history.ts';
import { moneyTold } from '../messages.ts';
import { named } from './names.ts';
import { inPlaceOf } from './recovery.ts';
import type { Place } from './service.ts';

/** D1's rows of one booking, as SQL gives them. */
export interface Rows {
  readonly booking: { readonly status: string; readonly card_token: string | null };
  readonly payments: readonly PaymentRow[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  readonly recoveries: readonly RecoveryRow[];
  /** The charges that ended although the acquirer could not be asked for them: a person is to compare these. */
  readonly unasked: readonly { readonly subject: string }[];
  /** What the journal has come to, by charge. */
  readonly totals: readonly TotalRow[];
  /** What the PMS is told of money. */
  readonly messages: readonly MessageRow[];
}

export interface PaymentRow {
  readonly id: number;
  /** The model's name: mostly the service's reference. */
  readonly reference: string;
  readonly replaces_charge: number | null;
  readonly kind: string;
  readonly status: string;
  readonly requested_minor: number;
  readonly amount_minor: number;
  readonly transaction_fee_minor: number;
  readonly refund_reserved_minor: number;
  readonly card_token: string;
  readonly attempts: number;
  readonly due_at_ms: number | null;
  readonly sent_at_ms: number | null;
  readonly pending_operation: string | null;
  readonly completed_at_ms: number | null;
}

export interface RefundRow {
  readonly id: number;
  readonly transaction_id: number;
  readonly reference: string;
  readonly command_reference: string;
  readonly status: string;
  readonly amount_minor: number;
  readonly origin: string;
  readonly gateway_reference: string | null;
  readonly due_at_ms: number | null;
  readonly sent_at_ms: number | null;
  readonly completed_at_ms: number | null;
}

export interface DisputeRow {
  readonly id: string;
  readonly transaction_id: number;
  readonly status: string;
  readonly amount_minor: number;
  readonly funds_withdrawn: number;
  /** What the journal has of it: what left less what came back. */
  readonly withdrawn_minor: number;
}

export interface RecoveryRow {
  readonly transaction_id: number;
  readonly cause: string;
  readonly asked: number;
  readonly asked_for_cause: number;
  readonly deadline_at_ms: number | null;
  readonly answer_card: string | null;
  readonly flagged_at_ms: number | null;
  readonly due_at_ms: number | null;
  readonly ended_as: string | null;
}

export interface TotalRow {
  readonly transaction_id: number;
  readonly taken_minor: number;
  readonly fee_minor: number;
  readonly refunded_minor: number;
  readonly disputed_minor: number;
}

export interface MessageRow {
  readonly id: string;
  readonly type: string;
  readonly gross: string;
  readonly net: string;
  readonly fee: string;
  readonly fixed_fee: string;
}

export interface AuditRow {
  readonly id: number;
  readonly actor: string;
  readonly subject: string;
  readonly from_state: string | null;
  readonly to_state: string;
}

/** Which id belongs to what the model knows by a reference. */
export interface Ids {
  readonly payment: (ref: string) => number;
  readonly row: (ref: string) => PaymentRow | undefined;
  readonly refund: (command: string, part: number) => number;
  /** The reference of a refund, which is its key at the acquirer. */
  readonly refundReference: (command: string, part: number) => string;
}

/** An id that nothing has. */
const NOTHING = 2;

/** Reads a booking and its money from D1 by plain SQL. */
export async function readRows({ propertyId, reference }: Place): Promise<Rows> {
  const { DB } = testEnv;
  const [bookings, payments, refunds, disputes, totals, recoveries, unasked] = await DB.batch(
    [
      'SELECT status, card_token FROM bookings WHERE property_id = ? AND reference = ?',
      `SELECT id, reference, replaces_charge, kind, status, requested_minor, amount_minor, transaction_fee_minor,
         refund_reserved_minor, card_token, attempts,
         due_at_ms, sent_at_ms, pending_operation, completed_at_ms FROM transactions WHERE property_id = ? AND booking_reference = ? ORDER BY id`,
      `SELECT id, transaction_id, reference, command_reference, status, amount_minor, origin, gateway_reference,
         due_at_ms, sent_at_ms, completed_at_ms FROM refunds WHERE property_id = ? AND booking_reference = ? ORDER BY id`,
      `SELECT id, transaction_id, status, amount_minor, funds_withdrawn,
         (SELECT -coalesce(sum(amount_minor), 0) FROM history
          WHERE property_id = disputes.property_id AND booking_reference = disputes.booking_reference
            AND subject_kind = 'dispute' AND subject_id = disputes.id AND movement IS NOT NULL) AS withdrawn_minor
       FROM disputes INDEXED BY disputes_by_booking WHERE property_id = ? AND booking_reference = ?`,
      `SELECT ${CHARGE_TOTALS} FROM history
       WHERE property_id = ? AND booking_reference = ? AND movement IS NOT NULL GROUP BY charge_id`,
      `SELECT transaction_id, cause, asked, asked_for_cause, deadline_at_ms, answer_card, flagged_at_ms, due_at_ms,
         ended_as FROM recoveries WHERE property_id = ? AND booking_reference = ? ORDER BY transaction_id`,
      `SELECT subject FROM exceptions
       WHERE property_id = ? AND booking_reference = ? AND kind = 'state_differs' AND theirs IS NULL`,
    ].map((query) => DB.prepare(query).bind(propertyId, reference)),
  );
  return {
    booking: bookings?.results[0] as Rows['booking'],
    payments: withNames(payments?.results as PaymentRow[]),
    refunds: refunds?.results as RefundRow[],
    disputes: disputes?.results as DisputeRow[],
    recoveries: recoveries?.results as RecoveryRow[],
    totals: totals?.results as TotalRow[],
    unasked: unasked?.results as Rows['unasked'],
    messages: (await moneyTold(reference, propertyId)).map(messageRow),
  };
}

function messageRow(data: Readonly<Record<string, string>>): MessageRow {
  const member = (name: string) => data[name] ?? '';
  return {
    id: member('TransactionID'),
    type: member('Type'),
    gross: member('AmountGross'),
    net: member('AmountNet'),
    fee: member('CardFee'),
    fixed_fee: member('TransactionFee'),
  };
}

/** The rows by the model's names: charges in place of declined ones have references of the service's own. */
function withNames(rows: readonly PaymentRow[]): PaymentRow[] {
  return rows.map((row, index) => {
    const charge = rows.find(({ id }) => id === row.replaces_charge);
    if (!charge) return row;
    const before = rows
      .slice(0, index)
      .filter((it) => it.replaces_charge === charge.id && it.card_token === row.card_token);
    const name = inPlaceOf(charge.reference, row.card_token, before.length);
    named(row.reference, name);
    return { ...row, reference: name };
  });
}

/** Reads a booking's audit trail, oldest first. */
export async function readAudit({ propertyId, reference }: Place): Promise<AuditRow[]> {
  const { results } = await testEnv.DB.prepare(
    `SELECT id, actor, subject, from_state, to_state
     FROM ${AUDIT} WHERE property_id = ? AND booking_reference = ? ORDER BY id`,
  )
    .bind(propertyId, reference)
    .all<AuditRow>();
  return results;
}

/** The ids of what was read. */
export function idsOf(rows: Rows): Ids {
  const refund = (command: string, part: number) =>
    rows.refunds.filter((row) => row.command_reference === command)[part];
  return {
    payment: (ref) => rows.payments.find(({ reference }) => reference === ref)?.id ?? NOTHING,
    row: (ref) => rows.payments.find(({ reference }) => reference === ref),
    refund: (command, part) => refund(command, part)?.id ?? NOTHING,
    refundReference: (command, part) => refund(command, part)?.reference ?? 'none',
  };
}
