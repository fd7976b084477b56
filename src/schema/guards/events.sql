CREATE TRIGGER webhook_deliveries_are_of_their_events BEFORE UPDATE OF endpoint_id, event_number, property_id, booking_reference ON webhook_deliveries
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;

CREATE TRIGGER webhook_endpoints_version BEFORE UPDATE ON webhook_endpoints
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
