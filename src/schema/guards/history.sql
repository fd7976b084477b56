-- The history only grows. Reconciliation marks a movement once, and an erasure takes away what tells of a guest.
CREATE TRIGGER history_is_not_changed BEFORE UPDATE OF reconciled_at_ms ON history
WHEN NEW.reconciled_at_ms IS NULL OR OLD.reconciled_at_ms IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER history_is_fixed BEFORE UPDATE OF property_id, booking_reference, sequence, at_ms, recorded_at_ms, actor, actor_name, subject_kind, subject_id,
  from_state, to_state, type, event_number, event_sequence, event_salt, new_contact_id, message_id, charge_id, movement, currency, amount_minor, fee_minor,
  waived_minor, gateway, gateway_reference, occurred_at_ms, scheduled_minor, uncertain_minor, held_minor, planned_minor, total_cost_minor ON history
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER history_tells_of_guests BEFORE UPDATE OF detail, snapshot ON history
WHEN (NEW.detail IS NOT NULL AND NEW.detail IS NOT OLD.detail) OR (NEW.snapshot IS NULL) <> (OLD.snapshot IS NULL) OR NOT (
  EXISTS (SELECT 1 FROM bookings WHERE property_id = OLD.property_id AND reference = OLD.booking_reference AND erased_at_ms IS NOT NULL)
  OR (OLD.subject_kind = 'application' AND EXISTS (SELECT 1 FROM applications
    WHERE property_id = OLD.property_id AND erased_at_ms IS NOT NULL
      AND (application_number = OLD.subject_id OR (application_number IS NULL AND booking_id = CAST(OLD.subject_id AS INTEGER))))))
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A charge is taken once.
CREATE TRIGGER history_takes_once AFTER INSERT ON history
WHEN NEW.movement IN ('charge', 'capture') AND EXISTS (
  SELECT 1 FROM history WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference
    AND sequence <> NEW.sequence AND charge_id = NEW.charge_id AND movement IN ('charge', 'capture'))
BEGIN
  SELECT RAISE(ABORT, 'taken_twice');
END;

-- A booking that moves to the archive takes its history along.
CREATE TRIGGER history_is_not_deleted BEFORE DELETE ON history
WHEN NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = OLD.property_id AND reference = OLD.booking_reference AND state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The history of an archived booking goes on once that is back.
CREATE TRIGGER history_of_archived_bookings BEFORE INSERT ON history
WHEN NEW.booking_reference <> '' AND EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'archived')
BEGIN
  SELECT RAISE(ABORT, 'archived');
END;
