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

-- A property's accounts, former ones included: payments of a former account can still be refunded or disputed there.
CREATE TRIGGER merchant_accounts_of_new AFTER INSERT ON properties
WHEN NEW.merchant_account IS NOT NULL
BEGIN
  INSERT INTO merchant_accounts (property_id, account) VALUES (NEW.id, NEW.merchant_account);
END;

CREATE TRIGGER merchant_accounts_of_changed AFTER UPDATE OF merchant_account ON properties
WHEN NEW.merchant_account IS NOT NULL AND NEW.merchant_account IS NOT OLD.merchant_account
BEGIN
  INSERT OR IGNORE INTO merchant_accounts (property_id, account) VALUES (NEW.id, NEW.merchant_account);
END;
