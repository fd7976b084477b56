-- A change must be decided on the state that it changes.
CREATE TRIGGER applications_version BEFORE UPDATE ON applications
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
