import { HOUR_MS } from '../../core/time.ts';
import type { ClientRow } from '../../schema/accessTables.ts';

/** Whether a client may use the service: it is not revoked, and outside local mode it is not seeded. */
export function inGoodStanding(
  { client }: { readonly client: Pick<ClientRow, 'revokedAtMs' | 'seeded'> },
  local: boolean,
): boolean {
  return client.revokedAtMs === null && (local || !client.seeded);
}

export function isAdministrator({
  client,
}: Readonly<{ client: Pick<ClientRow, 'scopes'> }>): boolean {
  return client.scopes.includes('admin');
}

/** How exactly the last use of a client or an export user is kept. */
export const NOTED_EVERY_MS = HOUR_MS;

/** Whether a use is to be noted, because the last one was noted long ago. */
export function isUseToNote(
  { lastUsedAtMs }: { readonly lastUsedAtMs: number | null },
  nowMs: number,
): boolean {
  return lastUsedAtMs === null || lastUsedAtMs < nowMs - NOTED_EVERY_MS;
}
