import { z } from '@hono/zod-openapi';
import { utcTimestamp } from '../../core/time.ts';
import { named } from '../../platform/views.ts';
import type { SettingsChangeRow } from '../../schema/recordTables.ts';
import { subjectText } from '../history/rules/entry.ts';
import type { selectAudit } from './changes.ts';

/** One change of state; `at` in UTC. */
export const entrySchema = named('AuditEntry', {
  at: z
    .string()
    .describe("in UTC; of a booking by the property's clock, of settings and people always real"),
  actor: z
    .string()
    .describe('a client id, a `userId`, `guest`, `gateway`, or `alarm`: the service'),
  actorName: z
    .string()
    .nullable()
    .describe('the name that the person had then; null for anyone else'),
  subject: z
    .string()
    .describe('`booking`, `links`, a kind and id such as `charge 373790392299064`, or a setting'),
  from: z.string().nullable().describe('the state before'),
  to: z.string().describe('the state after'),
  detail: z.string().nullable().describe('the reason'),
});

export type AuditEntryView = z.infer<typeof entrySchema>;

export function entryView(entry: Awaited<ReturnType<typeof selectAudit>>[number]): AuditEntryView {
  const { atMs, actor, actorName, from, to, detail } = entry;
  const subject = subjectText(entry);
  return { at: utcTimestamp(atMs), actor, actorName, subject, from, to: to ?? '', detail };
}

export function changeView(change: SettingsChangeRow): AuditEntryView {
  const { atMs, actor, actorName, subject, from, to, detail } = change;
  return { at: utcTimestamp(atMs), actor, actorName, subject, from, to, detail };
}
