-- What was delivered or given up stays so.
CREATE TRIGGER outbox_is_final BEFORE UPDATE OF status ON outbox
WHEN OLD.status IN ('Confirmed', 'Dismissed')
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;

-- Every try sends the same message.
CREATE TRIGGER outbox_content_is_fixed BEFORE UPDATE OF property_id, booking_reference, message_id, message_type, payload ON outbox
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
