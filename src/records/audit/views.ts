import { z } from '@hono/zod-openapi';
import { utcTimestamp } from '../../core/time.ts';
import type { AuditRow } from '../../schema/recordTables.ts';

/** One change of state; `at` in UTC. */
const entrySchema = z
  .object({
    at: z.string(),
    actor: z.string(),
    actorName: z.string().nullable(),
    subject: z.string(),
    from: z.string().nullable(),
    to: z.string(),
    detail: z.string().nullable(),
  })
  .openapi('AuditEntry');

/** A page of an audit trail; `nextCursor` is null on the last one. */
export const auditPageSchema = z.object({
  entries: z.array(entrySchema),
  nextCursor: z.string().nullable(),
});

/** Shows a change of state. */
export function entryView(entry: AuditRow): z.infer<typeof entrySchema> {
  const { atMs, actor, actorName, subject, from, to, detail } = entry;
  return { at: utcTimestamp(atMs), actor, actorName, subject, from, to, detail };
}
