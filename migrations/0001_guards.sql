-- Guards that no code path can forget. (The tables audit, bookings and idempotency_keys are WITHOUT ROWID:
-- they are only ever reached by their key, and each saves one written row that way.)

-- A transaction may only be recorded under the booking and the terms that it was decided with.
CREATE TRIGGER transactions_decided_on_current_state BEFORE INSERT ON transactions
WHEN NEW.booking_version IS NOT (SELECT version FROM bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference)
  OR NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- A change must be decided on the state that it changes: each raises the version by exactly one.
CREATE TRIGGER bookings_version BEFORE UPDATE ON bookings
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER properties_version BEFORE UPDATE ON properties
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER transactions_version BEFORE UPDATE ON transactions
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER refunds_version BEFORE UPDATE ON refunds
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- The state machine of charges, schedules and pre-authorizations. Nothing leaves a final state, and an operation under
-- way ends only in what it can lead to.
CREATE TRIGGER transactions_states BEFORE UPDATE OF status ON transactions
WHEN NOT (
  (OLD.status = 'Pending' AND NEW.status IN ('Processing', 'Declined', 'Failed', 'Cancelled'))
  OR (OLD.status = 'Authorized' AND NEW.status = 'Processing')
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'charge' AND NEW.status IN ('Accepted', 'Declined', 'Failed'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'charge' AND OLD.kind = 'schedule' AND NEW.status = 'Pending')
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'authorize' AND NEW.status IN ('Authorized', 'Declined', 'Failed'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'capture' AND NEW.status IN ('Accepted', 'Authorized'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'release' AND NEW.status IN ('Released', 'Authorized'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'expire' AND NEW.status IN ('Expired', 'Authorized'))
)
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
-- A schedule that fires takes the card of the booking as it is now.
CREATE TRIGGER transactions_fired_on_current_state BEFORE UPDATE OF booking_version ON transactions
WHEN NEW.booking_version IS NOT (SELECT version FROM bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- That of refunds: one that the gateway reports as failed afterwards is the only way out of Refunded.
CREATE TRIGGER refunds_states BEFORE UPDATE OF status ON refunds
WHEN NOT (
  (OLD.status = 'Processing' AND NEW.status IN ('Refunded', 'Failed'))
  OR (OLD.status = 'Refunded' AND NEW.status = 'Failed')
)
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
-- What was asked of the gateway is not rewritten afterwards.
CREATE TRIGGER transactions_identity_is_fixed BEFORE UPDATE OF id, property_id, booking_reference, reference, currency, kind ON transactions
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER refunds_identity_is_fixed BEFORE UPDATE OF id, property_id, booking_reference, reference, currency, transaction_id, amount_minor ON refunds
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
-- A booking is made in its property's currency and keeps it.
CREATE TRIGGER bookings_currency BEFORE INSERT ON bookings
WHEN NEW.currency IS NOT (SELECT currency FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_identity_is_fixed BEFORE UPDATE OF currency, property_id, reference ON bookings
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER properties_currency_in_use BEFORE UPDATE OF currency ON properties
WHEN NEW.currency <> OLD.currency AND EXISTS (SELECT 1 FROM bookings WHERE property_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;
--> statement-breakpoint
-- The audit trail only grows.
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
