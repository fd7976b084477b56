import { err, ok, type Result, refuse } from '../core/result.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { type AcceptWork, acceptException } from '../reconciliation/actions.ts';
import { selectException } from '../reconciliation/exceptionStore.ts';
import { EXCEPTION_NOT_FOUND } from '../reconciliation/rules/differences.ts';
import type { ExceptionRow } from '../schema/reconciliationTables.ts';
import type { DeskWork } from './actions.ts';
import { may } from './rights.ts';
import { words } from './words.ts';

export type DifferenceWork = AcceptWork & Pick<DeskWork, 'person' | 'property' | 'requestId'>;

/**
 * The difference that a person may accept (interface: Reconciliation): open, and of the property that they work for. One
 * round trip.
 */
export async function acceptableDifference(
  { database, person, property }: DifferenceWork,
  id: string,
): Promise<Result<ExceptionRow>> {
  const allowed = may(person, property, 'acceptDifferences');
  if (!allowed.ok) return allowed;
  const [[row]] = await database.batch('d1.reconciliation.read', [selectException(id)]);
  if (row?.propertyId !== property.id) return err(EXCEPTION_NOT_FOUND);
  const isClosed = row.status === 'closed' && row.resolution !== 'accepted';
  return isClosed ? refuse('invalid_state', words.refusals.noDifference) : ok(row);
}

/** Accepts a difference for good, under the person. Accepting it twice changes nothing. */
export async function acceptDifference(
  work: DifferenceWork,
  id: string,
  reason: string,
): Promise<Result<ExceptionRow>> {
  const found = await acceptableDifference(work, id);
  if (!found.ok) return found;
  const { person, property, requestId } = work;
  const by = { clientId: person.id, name: person.name, requestId };
  return acceptException(work, id, reason, by, propertyNow(property));
}
