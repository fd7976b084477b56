-- A run that is over stays as it ended.
CREATE TRIGGER export_runs_are_final BEFORE UPDATE OF status, sha256, rows, bytes ON export_runs
WHEN OLD.status <> 'Running'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
