import { v7 as timeOrderedUuid } from 'uuid';
import type { BookingWork } from '../bookings/work.ts';
import type { Statement } from '../db/database.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import type { PmsMessage } from '../pms/messages.ts';
import { insertMessage } from './store.ts';

/**
 * The statement that queues a message to the property's PMS, for the batch of the change that it tells of; none for
 * a property without a PMS. When the operation is over, the dispatcher is told that there is something to send.
 */
export function queueMessage(
  work: BookingWork,
  property: PropertyRow,
  message: PmsMessage | null,
): Statement[] {
  if (message === null || property.pmsUrl === null) return [];
  work.queuedFor.add(property.pmsUrl);
  const createdAtMs = work.now();
  return [
    insertMessage(work.database.queries, {
      propertyId: work.propertyId,
      bookingReference: work.reference,
      messageId: timeOrderedUuid(),
      messageType: message.type,
      payload: message.payload,
      createdAtMs,
    }),
  ];
}
