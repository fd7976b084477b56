CREATE TRIGGER properties_currency_in_use BEFORE UPDATE OF currency ON properties
WHEN NEW.currency <> OLD.currency AND (
  EXISTS (SELECT 1 FROM bookings WHERE property_id = OLD.id)
  OR EXISTS (SELECT 1 FROM applications WHERE property_id = OLD.id))
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;
