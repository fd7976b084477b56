import type { Result } from '../../../core/result.ts';
import { type ArchiveWork, databaseWith } from '../../../records/archive/read.ts';
import { readBookingOfDispute } from '../store.ts';
import { type Evidence, readEvidence } from './read.ts';

/**
 * Gathers the evidence about a dispute, of an archived booking as if that stood in the database. Only what D1 does not have
 * is looked for in the archive.
 */
export async function findEvidence(
  work: ArchiveWork,
  propertyId: string,
  disputeId: string,
  baseUrl: string,
): Promise<Result<Evidence>> {
  const read = await readEvidence(work.database, propertyId, disputeId, baseUrl);
  if (read.ok) return read;
  const reference = await readBookingOfDispute(work.database, propertyId, disputeId);
  const archived = reference !== null && (await databaseWith(work, { propertyId, reference }));
  return archived ? readEvidence(archived, propertyId, disputeId, baseUrl) : read;
}
