import { z } from 'zod';
import { packed, unpacked } from '../../core/packed.ts';
import { utcTimestamp } from '../../core/time.ts';
import type { OutboxRow } from '../../schema/outboxTables.ts';
import type { PmsMessage } from '../rules/messages.ts';

/** The columns of a message whose values its payload repeats. */
type Repeated = Pick<OutboxRow, 'propertyId' | 'bookingReference' | 'createdAtMs'>;

const payloadSchema = z.record(z.string(), z.unknown());

export function packedPayload(payload: PmsMessage['payload'], message: Repeated): Uint8Array {
  return packed(payload, repeatedIn(message));
}

/** What a message says; nothing of one that was let go. */
export function payloadOf(message: Repeated & Pick<OutboxRow, 'payload'>): PmsMessage['payload'] {
  if (message.payload === null) return {};
  return payloadSchema.parse(unpacked(message.payload, repeatedIn(message)));
}

function repeatedIn({ propertyId, bookingReference, createdAtMs }: Repeated) {
  return [propertyId, bookingReference, utcTimestamp(createdAtMs)];
}
