import type { Queries, Statement } from '../platform/db/database.ts';
import { deleteRequest, supersedeOthers } from '../records/cardRequests/store.ts';
import type { MailRow } from '../schema/mailTables.ts';

/** The id of what a mail is about. */
export function subjectId({ subject }: Pick<MailRow, 'subject'>): string {
  return subject.slice(subject.indexOf(' ') + 1);
}

/**
 * What a settled mail changes of the card request that it is of. One that was sent supersedes the booking's earlier ones;
 * one that was not is deleted, so that it does not count.
 */
export function settleRequest(
  queries: Queries,
  row: MailRow,
  status: Exclude<MailRow['status'], 'Pending'>,
): Statement[] {
  if (row.kind !== 'cardRequest') return [];
  const { propertyId, bookingReference } = row;
  const id = subjectId(row);
  return [
    status === 'Sent'
      ? supersedeOthers(queries, { id, propertyId, bookingReference })
      : deleteRequest(queries, id),
  ];
}
