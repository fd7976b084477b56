/** Parts of the history as tables that tests select from: `FROM ${AUDIT}`. */

/** The audit trail of bookings. `id` grows within a booking. */
export const AUDIT = `(SELECT property_id, booking_reference, sequence AS id, at_ms, actor, actor_name,
  CASE WHEN subject_kind = 'dispute' THEN 'charge ' || charge_id || ' dispute ' || subject_id
    WHEN subject_id = '' THEN subject_kind ELSE subject_kind || ' ' || subject_id END AS subject,
  from_state, to_state, detail FROM history WHERE to_state IS NOT NULL) AS audit`;

/** The events. */
export const EVENTS = `(SELECT property_id, event_number AS number,
  'evt_' || event_number || '_' || lower(hex(event_salt)) AS event_id, nullif(booking_reference, '') AS booking_reference,
  event_sequence AS sequence, type, at_ms, subject_kind || ' ' || subject_id AS subject, snapshot
  FROM history WHERE event_number IS NOT NULL) AS events`;

/** What the movements of a charge come to, as columns of a query that groups them by `charge_id`. */
export const CHARGE_TOTALS = `charge_id AS transaction_id,
  sum(CASE WHEN movement IN ('charge', 'capture', 'correction') THEN amount_minor ELSE 0 END) AS taken_minor,
  sum(fee_minor) AS fee_minor,
  -sum(CASE WHEN movement IN ('refund', 'reversal') THEN amount_minor ELSE 0 END) AS refunded_minor,
  -sum(CASE WHEN movement IN ('chargeback', 'chargeback_reversal') THEN amount_minor ELSE 0 END) AS disputed_minor`;

/** The movements of charges' money, of each charge from 1 on. */
export const MOVEMENTS = `(SELECT charge_id AS transaction_id, row_number() OVER (PARTITION BY charge_id ORDER BY sequence) AS number,
  property_id, booking_reference, CASE subject_kind WHEN 'refund' THEN CAST(subject_id AS INTEGER) END AS refund_id,
  CASE subject_kind WHEN 'dispute' THEN subject_id END AS dispute_id, movement AS kind, currency, amount_minor, fee_minor, waived_minor,
  gateway, gateway_reference, occurred_at_ms, at_ms AS recorded_at_ms, reconciled_at_ms
  FROM history WHERE movement IS NOT NULL AND charge_id IS NOT NULL) AS journal`;
