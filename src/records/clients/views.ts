import { z } from '@hono/zod-openapi';
import { utcOrNull, utcTimestamp } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import type { ClientRow } from '../../schema/accessTables.ts';

/** An API client for administrators; times in UTC (interface: List clients). */
export const clientSchema = named('Client', {
  clientId: z.string().describe('for access tokens'),
  name: z.string().nullable().describe('for people'),
  property: z.string().nullable().describe('null for an administrator'),
  scopes: z.array(z.string()).describe('what it may do: see Scopes'),
  createdAt: shownTime.describe('in UTC'),
  lastUsedAt: shownTime
    .nullable()
    .describe('when it got or used a token, noted at most once an hour'),
  revokedAt: shownTime.nullable().describe('in UTC; null while it is not'),
});

export type ClientView = z.infer<typeof clientSchema>;

export function clientView(row: ClientRow): ClientView {
  return {
    clientId: row.id,
    name: row.name,
    property: row.propertyId,
    scopes: row.scopes,
    createdAt: utcTimestamp(row.createdAtMs),
    lastUsedAt: utcOrNull(row.lastUsedAtMs),
    revokedAt: utcOrNull(row.revokedAtMs),
  };
}
