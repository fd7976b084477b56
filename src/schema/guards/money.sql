CREATE TRIGGER refunds_states BEFORE UPDATE OF status ON refunds
WHEN NOT (
  (OLD.status = 'Processing' AND NEW.status IN ('Refunded', 'Failed'))
  OR (OLD.status = 'Refunded' AND NEW.status = 'Failed')
  OR (OLD.status = 'Failed' AND NEW.status = 'Refunded' AND NEW.corrected_at_ms IS NOT NULL AND NEW.corrected_at_ms IS NOT OLD.corrected_at_ms)
)
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;

CREATE TRIGGER refunds_decided_on_current_property BEFORE INSERT ON refunds
WHEN NEW.property_version IS NOT NULL AND NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
  AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

CREATE TRIGGER refunds_not_of_disputed_charges BEFORE INSERT ON refunds
WHEN NEW.origin = 'service' AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open') AND EXISTS (
  SELECT 1 FROM disputes
  WHERE property_id = NEW.property_id AND transaction_id = NEW.transaction_id AND (funds_withdrawn OR status = 'lost')
    AND id IN (SELECT id FROM disputes WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference)
)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- A transaction may only be recorded under the booking and the terms that it was decided with.
CREATE TRIGGER transactions_decided_on_current_state BEFORE INSERT ON transactions
WHEN (NEW.booking_version IS NOT (SELECT version FROM bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference)
  OR NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id))
  AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- References are random or hashes: a booking has each once. Its history names its transactions.
CREATE TRIGGER transactions_reference_is_new BEFORE INSERT ON transactions
WHEN EXISTS (SELECT 1 FROM transactions WHERE reference = NEW.reference AND id <> NEW.id AND id IN (
  SELECT charge_id FROM history WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference))
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- A schedule that fires takes the card of the booking as it is now.
CREATE TRIGGER transactions_fired_on_current_state BEFORE UPDATE OF booking_version ON transactions
WHEN NEW.booking_version IS NOT (SELECT version FROM bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- What an operation tells the PMS depends on the property, so it names the version of the property it was decided with.
CREATE TRIGGER transactions_continued_on_current_property BEFORE UPDATE OF property_version ON transactions
WHEN NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- What was declined is made again once at a time, and never once that was taken. A correction may still accept a second.
CREATE TRIGGER transactions_replace_once BEFORE INSERT ON transactions
WHEN NEW.replaces_charge IS NOT NULL AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open') AND (
  NOT EXISTS (SELECT 1 FROM transactions WHERE id = NEW.replaces_charge AND property_id = NEW.property_id
    AND booking_reference = NEW.booking_reference AND status = 'Declined')
  OR EXISTS (SELECT 1 FROM transactions WHERE replaces_charge = NEW.replaces_charge AND status IN ('Processing', 'Accepted')))
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

CREATE TRIGGER transactions_replaced_is_fixed BEFORE UPDATE OF replaces_charge ON transactions
WHEN NEW.replaces_charge IS NOT OLD.replaces_charge
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;

CREATE TRIGGER transactions_states BEFORE UPDATE OF status ON transactions
WHEN NOT (
  (OLD.status = 'Pending' AND NEW.status IN ('Processing', 'Declined', 'Failed', 'Cancelled'))
  OR (OLD.status = 'Authorized' AND NEW.status = 'Processing')
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'charge' AND NEW.status IN ('Accepted', 'Declined', 'Failed'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'charge' AND OLD.kind = 'schedule' AND NEW.status IN ('Pending', 'Cancelled'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'authorize' AND NEW.status IN ('Authorized', 'Declined', 'Failed', 'Released'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'capture' AND NEW.status IN ('Accepted', 'Authorized'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'release' AND NEW.status IN ('Released', 'Authorized'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'expire' AND NEW.status IN ('Expired', 'Authorized'))
  OR (NEW.corrected_at_ms IS NOT NULL AND NEW.corrected_at_ms IS NOT OLD.corrected_at_ms AND (
    (NEW.status = 'Accepted' AND OLD.status <> 'Accepted')
    OR (NEW.status = 'Released' AND OLD.status IN ('Authorized', 'Processing'))
    OR (NEW.status = 'Authorized' AND OLD.kind = 'authorization' AND (
      OLD.status IN ('Failed', 'Declined') OR (OLD.status = 'Released' AND OLD.gateway_reference IS NULL)))
  ))
)
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;

CREATE TRIGGER transactions_of_removed_cards BEFORE INSERT ON transactions
WHEN NEW.card_named AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open') AND EXISTS (SELECT 1 FROM cards WHERE token = NEW.card_token AND removed_at_ms IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
