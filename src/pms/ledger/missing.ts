import type { Database } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { letGoOf, rebuiltMessages, selectSources } from '../outbox/rebuilt.ts';
import type { KeptReport } from './reports.ts';
import { selectMessages } from './store.ts';

/** Reads messages that a report found missing; those that were let go of are made again. One round trip. */
export async function readMissing(
  database: Database,
  property: PropertyRow,
  missing: Readonly<KeptReport['missing']>,
) {
  const ids = missing.map(({ messageId }) => messageId);
  const references = [...new Set(missing.map(({ reference }) => reference))];
  const [kept, ...sources] = await database.batch('d1.ledger.read', [
    selectMessages(property.id, ids),
    ...selectSources(letGoOf(property.id, references)),
  ]);
  const letGo = rebuiltMessages(property, sources).filter((one) => ids.includes(one.messageId));
  return { kept, letGo };
}
