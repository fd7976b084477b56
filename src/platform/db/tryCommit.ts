import type { BatchResponse } from 'drizzle-orm/batch';
import type { D1Span, Database, Statement } from './database.ts';
import { DatabaseUnavailable } from './errors.ts';

/** The result of a batch: committed, or unknown. */
export type Commit<Results> =
  | { readonly kind: 'committed'; readonly results: Results }
  | { readonly kind: 'unsure'; readonly error: DatabaseUnavailable };

/**
 * Runs a batch for a caller that can look up its own write when D1 does not say whether it committed. Throws SQLite's
 * refusal: nothing was written.
 */
export async function tryCommit<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
  database: Database,
  span: D1Span,
  statements: Batch,
): Promise<Commit<BatchResponse<Batch>>> {
  try {
    return { kind: 'committed', results: await database.batch(span, statements) };
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return { kind: 'unsure', error };
    throw error;
  }
}
