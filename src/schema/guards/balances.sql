CREATE TRIGGER total_costs_of_new AFTER INSERT ON bookings
BEGIN
  INSERT INTO total_costs (property_id, booking_reference, number, total_cost_minor, at_ms)
  VALUES (NEW.property_id, NEW.reference, 1, NEW.total_cost_minor, NEW.created_at_ms);
END;

CREATE TRIGGER total_costs_of_changed AFTER UPDATE OF total_cost_minor ON bookings
WHEN NEW.total_cost_minor <> OLD.total_cost_minor
BEGIN
  INSERT INTO total_costs (property_id, booking_reference, number, total_cost_minor, at_ms)
  VALUES (NEW.property_id, NEW.reference,
    (SELECT count(*) + 1 FROM total_costs WHERE property_id = NEW.property_id AND booking_reference = NEW.reference),
    NEW.total_cost_minor, NEW.updated_at_ms);
END;

CREATE TRIGGER open_amounts_are_not_changed BEFORE UPDATE ON open_amounts
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER open_amounts_are_not_deleted BEFORE DELETE ON open_amounts
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER total_costs_are_not_changed BEFORE UPDATE ON total_costs
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER total_costs_are_not_deleted BEFORE DELETE ON total_costs
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER open_amounts_of_new AFTER INSERT ON transactions
WHEN NEW.purpose <> 'Bond' AND NEW.status IN ('Pending', 'Processing', 'Authorized')
BEGIN
  INSERT INTO open_amounts (property_id, booking_reference, transaction_id, number, scheduled_minor, uncertain_minor, held_minor, at_ms)
  VALUES (NEW.property_id, NEW.booking_reference, NEW.id, 1,
    CASE NEW.status WHEN 'Pending' THEN NEW.requested_minor ELSE 0 END,
    CASE WHEN NEW.pending_operation IN ('charge', 'capture') THEN coalesce(NEW.capture_requested_minor, NEW.requested_minor) ELSE 0 END,
    CASE NEW.status WHEN 'Authorized' THEN NEW.requested_minor ELSE 0 END, NEW.created_at_ms);
END;

-- An outcome counts from the instant at which it was learnt, as in the journal.
CREATE TRIGGER open_amounts_of_changed AFTER UPDATE OF status, requested_minor, capture_requested_minor ON transactions
WHEN NEW.purpose <> 'Bond' AND (OLD.status IN ('Pending', 'Processing', 'Authorized') OR NEW.status IN ('Pending', 'Processing', 'Authorized'))
  AND (NEW.status <> OLD.status OR NEW.requested_minor <> OLD.requested_minor OR NEW.capture_requested_minor IS NOT OLD.capture_requested_minor)
BEGIN
  INSERT INTO open_amounts (property_id, booking_reference, transaction_id, number, scheduled_minor, uncertain_minor, held_minor, at_ms)
  VALUES (NEW.property_id, NEW.booking_reference, NEW.id,
    (SELECT count(*) + 1 FROM open_amounts WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference AND transaction_id = NEW.id),
    (CASE NEW.status WHEN 'Pending' THEN NEW.requested_minor ELSE 0 END) - (CASE OLD.status WHEN 'Pending' THEN OLD.requested_minor ELSE 0 END),
    (CASE WHEN NEW.pending_operation IN ('charge', 'capture') THEN coalesce(NEW.capture_requested_minor, NEW.requested_minor) ELSE 0 END)
      - (CASE WHEN OLD.pending_operation IN ('charge', 'capture') THEN coalesce(OLD.capture_requested_minor, OLD.requested_minor) ELSE 0 END),
    (CASE NEW.status WHEN 'Authorized' THEN NEW.requested_minor ELSE 0 END) - (CASE OLD.status WHEN 'Authorized' THEN OLD.requested_minor ELSE 0 END),
    CASE WHEN NEW.learnt_at_ms IS NOT NULL AND NEW.learnt_at_ms IS NOT OLD.learnt_at_ms THEN NEW.learnt_at_ms
      ELSE coalesce(NEW.changed_at_ms, NEW.created_at_ms) END);
END;
