import { z } from 'zod';
import { clientStanding } from '../clients/directory.ts';
import type { ClientRecord } from '../clients/store.ts';
import { inGoodStanding } from '../http/access.ts';
import type { AppContext } from '../http/context.ts';
import { dropSealed, keepSealed, readSealed, type SealedCookie } from '../pages/sealedCookie.ts';

/** Where the operations page is. */
export const OPS_PATH = '/ops';

const COOKIE: SealedCookie = {
  name: 'ops',
  path: OPS_PATH,
  sameSite: 'Strict',
  purpose: 'ops-session',
  context: 'ops-session',
};

const sessionShape = z.object({ clientId: z.string() });

/** Keeps who has signed in. */
export function keepSession(c: AppContext, clientId: string): Promise<void> {
  return keepSealed(c, COOKIE, { clientId });
}

/** Takes the session's cookie back. */
export function endSession(c: AppContext): void {
  dropSealed(c, COOKIE);
}

/** The administrator whose session this is; null when there is none, it was idle for too long, or access was taken back. */
export async function readSession(c: AppContext): Promise<string | null> {
  const session = await readSealed(c, COOKIE, sessionShape);
  if (session === null) return null;
  const { clientId } = session;
  const standing = await clientStanding(c.get('database'), clientId, Date.now());
  const { local } = c.get('config');
  return standing && inGoodStanding(standing, local) && isAdministrator(standing) ? clientId : null;
}

/** Whether a client may see the operations page. */
export function isAdministrator({ client }: ClientRecord): boolean {
  return client.scopes.includes('admin');
}
