import type { ClientRow } from '../../platform/db/accessTables.ts';

/** Whether a client may use the service: it is not revoked, and outside local mode it is not seeded. */
export function inGoodStanding(
  { client }: { readonly client: Pick<ClientRow, 'revokedAtMs' | 'seeded'> },
  local: boolean,
): boolean {
  return client.revokedAtMs === null && (local || !client.seeded);
}
