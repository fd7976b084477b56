-- A booking is made in its property's currency and keeps it.
CREATE TRIGGER bookings_currency BEFORE INSERT ON bookings
WHEN NEW.currency IS NOT (SELECT currency FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

CREATE TRIGGER bookings_changed_on_current_property BEFORE UPDATE OF property_version ON bookings
WHEN NEW.property_version IS NOT NULL AND NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- No card is removed while another booking's schedule or hold needs it, and none takes a card that was just removed.
CREATE TRIGGER cards_needed_elsewhere BEFORE UPDATE OF removed_at_ms ON cards
WHEN NEW.removed_at_ms IS NOT NULL AND EXISTS (SELECT 1 FROM transactions
  WHERE card_token = NEW.token AND completed_at_ms IS NULL AND kind <> 'charge'
  AND booking_reference IS NOT NEW.booking_reference)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- One of a part that is not charged yet, which no transaction is, follows that part until it has its charge.
CREATE TRIGGER recoveries_identity_is_fixed BEFORE UPDATE OF transaction_id, property_id, booking_reference, charge_at_ms ON recoveries
WHEN NEW.property_id <> OLD.property_id OR NEW.booking_reference <> OLD.booking_reference
  OR (NEW.transaction_id <> OLD.transaction_id OR NEW.charge_at_ms <> OLD.charge_at_ms)
  AND EXISTS (SELECT 1 FROM transactions WHERE id = OLD.transaction_id)
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;

-- A booking that is archived comes back before it is saved.
CREATE TRIGGER bookings_archived BEFORE INSERT ON bookings
WHEN EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.reference AND state = 'archived')
BEGIN
  SELECT RAISE(ABORT, 'archived');
END;
