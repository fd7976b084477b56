import { z } from 'zod';
import type { AppContext } from '../../http/context.ts';
import { clientStanding } from '../../records/clients/clientCache.ts';
import { inGoodStanding } from '../../records/clients/rules.ts';
import type { ClientRecord } from '../../records/clients/store.ts';
import { OPS_PATH } from '../console/paths.ts';
import { StaffSessions } from '../web/staffSession.ts';

const sessionShape = z.object({ id: z.string(), clientId: z.string(), untilMs: z.int() });

export type Session = Readonly<z.infer<typeof sessionShape>>;

export const sessions = new StaffSessions<Session>(
  {
    name: 'ops',
    path: OPS_PATH,
    sameSite: 'Strict',
    purpose: 'ops-session',
    context: 'ops-session',
  },
  sessionShape,
);

/**
 * Reads the session from the request's cookie; null without one, or if it has expired or its client lost access. It
 * does not check whether the administrator has signed out: `hasEnded` and `readOverview` do.
 */
export async function readSession(c: AppContext): Promise<Session | null> {
  const session = await sessions.read(c);
  if (session === null) return null;
  const standing = await clientStanding(c.get('database'), session.clientId, Date.now());
  const { local } = c.get('config');
  return standing && inGoodStanding(standing, local) && isAdministrator(standing) ? session : null;
}

export function isAdministrator({ client }: ClientRecord): boolean {
  return client.scopes.includes('admin');
}
