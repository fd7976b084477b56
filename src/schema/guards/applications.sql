-- A change must be decided on the state that it changes.
CREATE TRIGGER applications_version BEFORE UPDATE ON applications
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- Kept by the schema itself, so that no way to another customer can be forgotten.
CREATE TRIGGER applications_move AFTER UPDATE OF customer_id ON applications
WHEN NEW.customer_id <> OLD.customer_id AND EXISTS (SELECT 1 FROM export_runs WHERE due_at_ms IS NOT NULL)
BEGIN
  INSERT INTO customer_moves (application_id, from_customer_id) VALUES (OLD.id, OLD.customer_id);
END;
