CREATE TRIGGER mails_are_final BEFORE UPDATE ON mails
WHEN OLD.status <> 'Pending'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;

CREATE TRIGGER mails_keep_their_subject BEFORE UPDATE OF id, property_id, booking_reference, kind, event_type, subject, created_at_ms ON mails
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
