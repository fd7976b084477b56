import { z } from '@hono/zod-openapi';
import { offsetTimestamp } from '../core/time.ts';
import { named, shownTime } from '../platform/views.ts';
import { type MailRow, mails } from '../schema/mailTables.ts';

export const mailStatusSchema = z.enum(mails.status.enumValues);

/** A mail of the outbox; times by the property's clock. */
export const mailSchema = named('OutboxMail', {
  mailId: z.string().describe("the mail's own"),
  reference: z
    .string()
    .nullable()
    .describe("the booking's; null for a card request by address only"),
  kind: z
    .enum(mails.kind.enumValues)
    .describe('`cardRecovery`: a reminder; `dailyWord`: an entry of the daily digest'),
  about: z
    .string()
    .openapi({ example: 'charge 373790392299064' })
    .describe(
      '`charge …`, `refund …`, `dispute …`, `cardRequest …` or `booking …`; of a reminder, its charge',
    ),
  status: mailStatusSchema.describe(
    '`Suppressed`: the address has bounced; `Dropped`: settled otherwise; `Dead`: given up',
  ),
  attempts: z.int().describe('so far'),
  nextAttemptAt: shownTime.nullable().describe("by the property's clock; null once it is settled"),
  lastError: z.string().nullable().describe('what the e-mail service said'),
  createdAt: shownTime.describe("by the property's clock"),
  settledAt: shownTime.nullable().describe("by the property's clock"),
});

export type MailView = z.infer<typeof mailSchema>;

/** Shows a mail to administrators: neither its words nor its address. */
export function mailView(row: MailRow, timeZone: string): MailView {
  const time = (atMs: number | null) => (atMs === null ? null : offsetTimestamp(atMs, timeZone));
  return {
    mailId: row.id,
    reference: row.bookingReference,
    kind: row.kind,
    about: `${row.subjectKind} ${row.subjectId}`,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: time(row.dueAtMs),
    lastError: row.lastError,
    createdAt: offsetTimestamp(row.createdAtMs, timeZone),
    settledAt: time(row.completedAtMs),
  };
}
