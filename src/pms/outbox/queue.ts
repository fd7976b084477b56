import { v7 as timeOrderedUuid } from 'uuid';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { PmsMessage } from '../rules/messages.ts';
import { packedPayload } from './payloads.ts';
import { insertMoneyMessage, insertStayMessage } from './store.ts';

/**
 * The statement that queues a message to the property's PMS; none for a property without a PMS. Run it in the batch of
 * the change that the message reports. The booking's object notifies the dispatcher after the operation.
 */
export function queueMessage(
  work: BookingWork,
  property: PropertyRow,
  message: PmsMessage | null,
): Statement[] {
  if (message === null || property.pmsUrl === null) return [];
  work.queuedFor.add(property.pmsUrl);
  const { propertyId, reference: bookingReference } = work;
  const createdAtMs = work.now();
  const insert = message.type === 'PushTransaction' ? insertMoneyMessage : insertStayMessage;
  return [
    insert(work.database.queries, {
      propertyId,
      bookingReference,
      messageId: timeOrderedUuid(),
      messageType: message.type,
      payload: packedPayload(message.payload, { propertyId, bookingReference, createdAtMs }),
      createdAtMs,
    }),
  ];
}
