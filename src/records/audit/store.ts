import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { history } from '../../schema/historyTables.ts';
import { type SettingsChangeRow, settingsChanges } from '../../schema/recordTables.ts';
import type { BookingName } from '../bookings/store.ts';

/** Appends a change of people or settings. It belongs in the same batch as the change. */
export function appendSettingsChange(queries: Queries, row: SettingsChangeRow) {
  return queries.insert(settingsChanges).values(row);
}

/** Selects the audit trail of a booking, oldest first: the entries of its history that change a state. */
export function selectAudit(
  queries: Queries,
  { propertyId, reference }: BookingName,
  { limit, after }: Part,
) {
  const { actor, actorName, atMs, chargeId, detail, from, sequence, subjectId, subjectKind, to } =
    history;
  return queries
    .select({
      sequence,
      atMs,
      actor,
      actorName,
      subjectKind,
      subjectId,
      chargeId,
      from,
      to,
      detail,
    })
    .from(history)
    .where(
      and(
        eq(history.propertyId, propertyId),
        eq(history.bookingReference, reference),
        isNotNull(to),
        comesAfter('ascending', [sequence], after),
      ),
    )
    .orderBy(asc(sequence))
    .limit(limit + 1);
}
