CREATE TRIGGER properties_version BEFORE UPDATE ON properties
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

CREATE TRIGGER properties_currency_in_use BEFORE UPDATE OF currency ON properties
WHEN NEW.currency <> OLD.currency AND (
  EXISTS (SELECT 1 FROM bookings WHERE property_id = OLD.id)
  OR EXISTS (SELECT 1 FROM applications WHERE property_id = OLD.id))
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;
