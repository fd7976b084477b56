/** Creates the sandbox acquirer's tables. Brings a storage of an earlier version up to date. */
export function prepareStorage(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS cards (token TEXT PRIMARY KEY, card TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS lost_answers (idempotency_key TEXT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS refused_requests (token TEXT PRIMARY KEY, refused INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS outages (property_id TEXT PRIMARY KEY, outage TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS bank_steps (id TEXT PRIMARY KEY, gateway_reference TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS operations (
      sequence INTEGER PRIMARY KEY, idempotency_key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
      status TEXT NOT NULL, booking_reference TEXT NOT NULL, subject TEXT NOT NULL, vault_token TEXT,
      gateway_reference TEXT NOT NULL UNIQUE, amount_minor INTEGER NOT NULL, operation TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS operations_by_booking ON operations (booking_reference);
    -- Older storages still have this index, which is replaced by the next one.
    DROP INDEX IF EXISTS operations_by_subject;
    CREATE INDEX IF NOT EXISTS operations_by_subject_and_status ON operations (subject, status);
  `);
  if (!hasColumn(sql, 'moved_minor')) addMovements(sql);
  sql.exec(`
    CREATE INDEX IF NOT EXISTS operations_by_payment ON operations (payment);
    CREATE INDEX IF NOT EXISTS movements_by_time ON operations (at_ms, sequence) WHERE moved_minor <> 0;
    CREATE INDEX IF NOT EXISTS inquiries_by_time ON operations (at_ms, sequence) WHERE kind = 'inquiry';
  `);
}

function hasColumn(sql: SqlStorage, name: string): boolean {
  return (
    sql.exec("SELECT 1 FROM pragma_table_info('operations') WHERE name = ?", name).toArray()
      .length === 1
  );
}

/** Adds what reports of payments and movements are read by, for the operations recorded so far too. */
function addMovements(sql: SqlStorage): void {
  sql.exec(`
    ALTER TABLE operations ADD COLUMN payment TEXT;
    ALTER TABLE operations ADD COLUMN at_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE operations ADD COLUMN moved_minor INTEGER NOT NULL DEFAULT 0;
    UPDATE operations SET
      at_ms = operation ->> '$.atMs',
      moved_minor = CASE
        WHEN status <> 'succeeded' THEN 0
        WHEN kind IN ('charge', 'capture') THEN amount_minor
        WHEN kind = 'refund' THEN -amount_minor
        ELSE 0 END,
      payment = CASE
        WHEN kind IN ('charge', 'authorization') THEN gateway_reference
        WHEN kind IN ('capture', 'release') THEN subject
        ELSE coalesce((SELECT capture.subject FROM operations AS capture
          WHERE capture.gateway_reference = operations.subject AND capture.kind = 'capture'), subject) END;
    -- An idempotency key begins with the service's reference of the transaction or refund.
    UPDATE operations SET operation = json_set(operation, '$.payment', payment,
      '$.movedMinor', moved_minor, '$.reference', substr(idempotency_key, 1, 32));
  `);
}
