/** The comment that allows a destructive migration: `-- destructive: <why this is safe to deploy>`. */
const REASON = /^[ \t]*--[ \t]*destructive:[ \t]+\w/im;

/** A file of `migrations/`. */
export interface Migration {
  readonly text: string;
  /** The statements of `text`, in order. */
  readonly statements: readonly string[];
}

/**
 * Returns the destructive statements of a migration without a reason. During a deployment, and after a rollback, the
 * previous version runs on the migrated database: it needs every table, column and trigger that it knows. Dropping an
 * index, a trigger or a view is fine when the same migration creates it again.
 */
export function unexplainedStatements({ text, statements }: Migration): string[] {
  if (REASON.test(text)) return [];
  const bare = statements.map(withoutComments);
  return bare.filter(
    (statement, index) => destroys(statement) || dropsForGood(statement, bare.slice(index + 1)),
  );
}

function withoutComments(statement: string): string {
  return statement.replaceAll(/^\s*--.*$/gm, '').trim();
}

function destroys(statement: string): boolean {
  return (
    /^DROP\s+TABLE\b/i.test(statement) ||
    /^DELETE\s+FROM\b/i.test(statement) ||
    /^ALTER\s+TABLE\s+\S+\s+(DROP|RENAME)\b/i.test(statement)
  );
}

/** Whether a statement drops an index, a trigger or a view that none of the later statements creates again. */
function dropsForGood(statement: string, later: readonly string[]): boolean {
  const dropped = /^DROP\s+(INDEX|TRIGGER|VIEW)\s+(?:IF\s+EXISTS\s+)?["'`[]?(\w+)/i.exec(statement);
  if (dropped === null) return false;
  const [, kind, name] = dropped;
  const created = new RegExp(
    `^CREATE\\s+(?:UNIQUE\\s+)?${kind}\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?["'\`[]?${name}\\b`,
    'i',
  );
  return !later.some((one) => created.test(one));
}
