import { z } from '@hono/zod-openapi';
import { utcTimestamp } from '../../core/time.ts';
import { type OutboxRow, outbox } from '../../schema/outboxTables.ts';

/** The status of a message. */
export const messageStatusSchema = z.enum(outbox.status.enumValues);

/** A message for administrators; times in UTC. */
const messageSchema = z
  .object({
    messageId: z.string(),
    messageType: z.string(),
    property: z.string(),
    reference: z.string(),
    status: messageStatusSchema,
    attempts: z.int(),
    nextAttemptAt: z
      .string()
      .nullable()
      .describe(
        'Null while an earlier message of the booking holds it back, and once the message is dead or done.',
      ),
    lastError: z.string().nullable(),
    createdAt: z.string(),
  })
  .openapi('OutboxMessage');

/** A page of the outbox, oldest first; `nextCursor` is null on the last one. */
export const messagePageSchema = z.object({
  messages: z.array(messageSchema),
  nextCursor: z.string().nullable(),
});

/** Converts a message for administrators. */
export function messageView(row: OutboxRow): z.infer<typeof messageSchema> {
  return {
    messageId: row.messageId,
    messageType: row.messageType,
    property: row.propertyId,
    reference: row.bookingReference,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.dueAtMs === null ? null : utcTimestamp(row.dueAtMs),
    lastError: row.lastError,
    createdAt: utcTimestamp(row.createdAtMs),
  };
}
