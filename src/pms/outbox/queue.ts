import { v7 as timeOrderedUuid } from 'uuid';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { PmsMessage } from '../rules/messages.ts';
import { packedPayload } from './payloads.ts';
import { insertMoneyMessage, insertStayMessage } from './store.ts';

/**
 * Queues a message to the property's PMS; nothing for a property without a PMS. It belongs in the batch of the change that
 * the message reports. The booking's object notifies the dispatcher after the operation.
 */
export function queueMessage(
  work: BookingWork,
  property: PropertyRow,
  message: PmsMessage | null,
): Write[] {
  if (message === null || property.pmsUrl === null) return [];
  work.queuedFor.add(property.pmsUrl);
  const { propertyId, reference: bookingReference } = work;
  const createdAtMs = work.now();
  const insert = message.type === 'PushTransaction' ? insertMoneyMessage : insertStayMessage;
  const messageId = timeOrderedUuid();
  const queued = insert({
    propertyId,
    bookingReference,
    messageId,
    messageType: message.type,
    payload: packedPayload(message.payload, { propertyId, bookingReference, createdAtMs }),
    createdAtMs,
  });
  return [{ beside: queued, messageId }];
}
