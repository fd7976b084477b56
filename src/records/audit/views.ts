import { z } from '@hono/zod-openapi';
import { utcTimestamp } from '../../core/time.ts';
import type { HistoryRow } from '../../schema/historyTables.ts';
import type { SettingsChangeRow } from '../../schema/recordTables.ts';
import { subjectText } from '../history/rules/entry.ts';

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

export type AuditEntryView = z.infer<typeof entrySchema>;

/** Shows a change of a booking's state. */
export function entryView(
  entry: Pick<
    HistoryRow,
    | 'atMs'
    | 'actor'
    | 'actorName'
    | 'subjectKind'
    | 'subjectId'
    | 'chargeId'
    | 'from'
    | 'to'
    | 'detail'
  >,
): AuditEntryView {
  const { atMs, actor, actorName, from, to, detail } = entry;
  const subject = subjectText(entry);
  return { at: utcTimestamp(atMs), actor, actorName, subject, from, to: to ?? '', detail };
}

/** Shows a change of people or settings. */
export function changeView(change: SettingsChangeRow): AuditEntryView {
  const { atMs, actor, actorName, subject, from, to, detail } = change;
  return { at: utcTimestamp(atMs), actor, actorName, subject, from, to, detail };
}
