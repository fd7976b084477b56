-- What a message says stays, until it is settled and let go. An erasure takes its guest out.
CREATE TRIGGER outbox_payload_stays BEFORE UPDATE OF payload ON outbox
WHEN CASE WHEN NEW.payload IS NULL THEN OLD.status NOT IN ('Confirmed', 'Dismissed')
  ELSE NOT EXISTS (SELECT 1 FROM bookings
    WHERE property_id = OLD.property_id AND reference = OLD.booking_reference AND erased_at_ms IS NOT NULL) END
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
