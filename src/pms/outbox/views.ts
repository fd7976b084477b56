import { z } from '@hono/zod-openapi';
import { pick } from '../../core/pick.ts';
import { utcTimestamp } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import { type OutboxRow, outbox } from '../../schema/outboxTables.ts';

export const messageStatusSchema = z.enum(outbox.status.enumValues);

/** A message for administrators; times in UTC. */
export const messageSchema = named('OutboxMessage', {
  messageId: z.string().describe('the `MessageID` that the PMS sees'),
  messageType: z.string().describe('such as `PushBooking`'),
  property: z.string(),
  reference: z.string().describe("the booking's"),
  status: messageStatusSchema,
  attempts: z.int().describe('so far'),
  nextAttemptAt: shownTime
    .nullable()
    .describe('null while an earlier message holds it back, and once dead or done'),
  lastError: z
    .string()
    .nullable()
    .describe("why the last attempt failed; the PMS's own words where it refused"),
  createdAt: shownTime.describe('in UTC'),
});

export function messageView(row: OutboxRow): z.infer<typeof messageSchema> {
  return {
    ...pick(row, 'messageId', 'messageType'),
    property: row.propertyId,
    reference: row.bookingReference,
    ...pick(row, 'status', 'attempts'),
    nextAttemptAt: row.dueAtMs === null ? null : utcTimestamp(row.dueAtMs),
    lastError: row.lastError,
    createdAt: utcTimestamp(row.createdAtMs),
  };
}
