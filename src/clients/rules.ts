import type { ClientRow } from '../db/accessTables.ts';

/** Whether a client may act at all: not revoked, and not one of the local start's in a deployment. */
export function inGoodStanding(
  { client }: { readonly client: Pick<ClientRow, 'revokedAtMs' | 'seeded'> },
  local: boolean,
): boolean {
  return client.revokedAtMs === null && (local || !client.seeded);
}
