-- The audit trail only grows.
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
