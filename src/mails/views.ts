import { z } from '@hono/zod-openapi';
import { offsetTimestamp } from '../core/time.ts';
import { type MailRow, mails } from '../schema/mailTables.ts';

/** The status of a mail. */
export const mailStatusSchema = z.enum(mails.status.enumValues);

/** A mail of the outbox; times by the property's clock. */
export const mailSchema = z
  .object({
    mailId: z.string(),
    reference: z.string().nullable().describe('Null for a card request by address only'),
    kind: z.enum(mails.kind.enumValues),
    about: z.string().openapi({ example: 'charge 373790392299064' }),
    status: mailStatusSchema,
    attempts: z.int(),
    nextAttemptAt: z.string().nullable().describe('Null once the mail is settled'),
    lastError: z.string().nullable(),
    createdAt: z.string(),
    settledAt: z.string().nullable(),
  })
  .openapi('OutboxMail');

export type MailView = z.infer<typeof mailSchema>;

/** Shows a mail to administrators: neither its words nor its address. */
export function mailView(row: MailRow, timeZone: string): MailView {
  const time = (atMs: number | null) => (atMs === null ? null : offsetTimestamp(atMs, timeZone));
  return {
    mailId: row.id,
    reference: row.bookingReference,
    kind: row.kind,
    about: row.subject,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: time(row.dueAtMs),
    lastError: row.lastError,
    createdAt: offsetTimestamp(row.createdAtMs, timeZone),
    settledAt: time(row.completedAtMs),
  };
}
