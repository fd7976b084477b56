import type { Database, Statement } from '../../platform/db/database.ts';
import { logError } from '../../platform/log.ts';

/** Notes a use of credentials. The request goes on where that fails. */
export async function noted(database: Database, note: Statement): Promise<void> {
  try {
    await database.batch('d1.client.use', [note]);
  } catch (error) {
    logError('use_not_noted', error);
  }
}
