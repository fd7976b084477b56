import type { ArchiveWork } from '../../records/archive/read.ts';
import { selectArchivedAmong } from '../../records/archive/store.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { letGoOf, rebuiltMessages, selectSources } from '../outbox/rebuilt.ts';
import { readArchivedMessages } from './archived.ts';
import type { KeptReport } from './reports.ts';
import { selectMessages } from './store.ts';

/**
 * Reads messages that a report found missing: those that D1 has; those that were let go of, made again; and those of bookings
 * that were archived since. One round trip, and the files.
 */
export async function readMissing(
  work: ArchiveWork,
  property: PropertyRow,
  missing: Readonly<KeptReport['missing']>,
) {
  const ids = new Set(missing.map(({ messageId }) => messageId));
  const references = [...new Set(missing.map(({ reference }) => reference))];
  const [kept, inFiles, ...sources] = await work.database.batch('d1.ledger.read', [
    selectMessages(property.id, [...ids]),
    selectArchivedAmong(references.map((reference) => ({ propertyId: property.id, reference }))),
    ...selectSources(letGoOf(property.id, references)),
  ]);
  const rebuilt = rebuiltMessages(property, sources);
  const ofArchive = await readArchivedMessages(work, property, inFiles);
  return {
    kept,
    letGo: rebuilt.filter(({ messageId }) => ids.has(messageId)),
    archived: ofArchive.filter(({ messageId }) => ids.has(messageId)),
  };
}
