CREATE TRIGGER disputes_identity_is_fixed BEFORE UPDATE OF property_id, id, booking_reference, transaction_id, currency ON disputes
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;

-- An accepted exception stays accepted.
CREATE TRIGGER exceptions_accepted_are_final BEFORE UPDATE ON exceptions
WHEN OLD.resolution = 'accepted'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
