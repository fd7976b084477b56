CREATE TRIGGER webhook_deliveries_are_of_their_events BEFORE UPDATE OF endpoint_id, event_number, property_id, booking_reference ON webhook_deliveries
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
