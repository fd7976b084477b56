import { moveEntry } from '../records/applications/entry.ts';
import { type ApplicationStatus, statesBefore, timeOf } from '../records/applications/states.ts';
import {
  asManyMovable,
  selectOfBooking,
  updateApplication,
} from '../records/applications/store.ts';
import { staleUnless } from '../records/properties/store.ts';
import type { ApplicationRow } from '../schema/applicationTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { Write } from './draft.ts';
import type { BookingWork } from './work.ts';

/**
 * Moves those applications of a booking that can go to a state, for the batch of the cause, such as a deposit. The batch
 * is refused if others can by then. `move` in `records/applications/states.ts` decides about moves that a caller requests.
 */
export async function moveApplications(
  work: BookingWork,
  property: PropertyRow,
  to: ApplicationStatus,
): Promise<Write[]> {
  const from = statesBefore(to);
  work.memory.applications ??= await readApplications(work);
  const all = work.memory.applications;
  const movable = all.filter(({ currentStatus }) => from.includes(currentStatus));
  const atMs = work.now();
  // They are read again once this is committed.
  if (movable.length > 0) work.memory.applications = null;
  return [
    { beside: staleUnless(work.propertyId, asManyMovable(work, to, movable.length)) },
    ...movable.flatMap((row): Write[] => {
      const change = { currentStatus: to, [timeOf[to]]: atMs, updatedAtMs: atMs };
      return [
        { beside: updateApplication(row, change) },
        { entry: moveEntry(property, { after: { ...row, ...change }, atMs }) },
      ];
    }),
  ];
}

async function readApplications(work: BookingWork): Promise<readonly ApplicationRow[]> {
  const [rows] = await work.database.batch('d1.application.read', [selectOfBooking(work)]);
  return rows;
}
