import { z } from '@hono/zod-openapi';
import { utcTimestamp } from '../../core/time.ts';
import type { audit } from '../../platform/db/recordTables.ts';

type AuditRow = typeof audit.$inferSelect;

/** One change of state; `at` in UTC. */
const entrySchema = z
  .object({
    at: z.string(),
    actor: z.string(),
    subject: z.string(),
    from: z.string().nullable(),
    to: z.string(),
    detail: z.string().nullable(),
  })
  .openapi('AuditEntry');

/** A page of a booking's audit trail; `nextCursor` is null on the last one. */
export const auditPageSchema = z.object({
  entries: z.array(entrySchema),
  nextCursor: z.string().nullable(),
});

/** A page as it is read; `nextId` is the entry that the next page follows. */
export interface AuditPage extends Pick<z.infer<typeof auditPageSchema>, 'entries'> {
  readonly nextId: number | null;
}

/** Shows a change of state. */
export function entryView(entry: AuditRow): z.infer<typeof entrySchema> {
  const { atMs, actor, subject, from, to, detail } = entry;
  return { at: utcTimestamp(atMs), actor, subject, from, to, detail };
}
