import { z } from '@hono/zod-openapi';
import { utcOrNull, utcTimestamp } from '../../core/time.ts';
import type { ClientRow } from '../../schema/accessTables.ts';

/** An API client for administrators; times in UTC (interface: List clients). */
export const clientSchema = z
  .object({
    clientId: z.string(),
    name: z.string().nullable(),
    property: z.string().nullable().describe('Null for an administrator.'),
    scopes: z.array(z.string()),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable().describe('Noted at most once an hour.'),
    revokedAt: z.string().nullable(),
  })
  .openapi('Client');

export type ClientView = z.infer<typeof clientSchema>;

/** Converts a client for administrators. */
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
