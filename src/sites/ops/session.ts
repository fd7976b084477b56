import { z } from 'zod';
import { HOUR_MS } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import { clientStanding } from '../../records/clients/clientCache.ts';
import { inGoodStanding } from '../../records/clients/rules.ts';
import type { ClientRecord } from '../../records/clients/store.ts';
import { endForGood, selectEndedSession } from '../web/endedSessions.ts';
import { dropSealed, keepSealed, readSealed, type SealedCookie } from '../web/sealedCookie.ts';

/** The path of the operations page. */
export const OPS_PATH = '/ops';

const COOKIE: SealedCookie = {
  name: 'ops',
  path: OPS_PATH,
  sameSite: 'Strict',
  purpose: 'ops-session',
  context: 'ops-session',
};

/** The longest time that an administrator stays signed in, even with constant use. */
const LONGEST_MS = 12 * HOUR_MS;

const sessionShape = z.object({ id: z.string(), clientId: z.string(), untilMs: z.int() });

/** The session of an administrator, and when it ends at the latest. */
export type Session = Readonly<z.infer<typeof sessionShape>>;

/** Creates the session of an administrator who has signed in. */
export function newSession(clientId: string): Session {
  return { id: crypto.randomUUID(), clientId, untilMs: Date.now() + LONGEST_MS };
}

/** Keeps a session in its cookie until it has been idle for half an hour. */
export function keepSession(c: AppContext, session: Session): Promise<void> {
  return keepSealed(c, COOKIE, session);
}

/** Signs the administrator out. One round trip. */
export async function endSession(c: AppContext, session: Session): Promise<void> {
  await endForGood(c.get('database'), session, Date.now());
  dropSealed(c, COOKIE);
}

/**
 * Reads the session from the request's cookie; null without one, or if it has expired or its client lost access. It
 * does not check whether the administrator has signed out: {@link hasEnded} and `readOverview` do.
 */
export async function readSession(c: AppContext): Promise<Session | null> {
  const session = await readSealed(c, COOKIE, sessionShape);
  const nowMs = Date.now();
  if (session === null || session.untilMs <= nowMs) return null;
  const standing = await clientStanding(c.get('database'), session.clientId, nowMs);
  const { local } = c.get('config');
  return standing && inGoodStanding(standing, local) && isAdministrator(standing) ? session : null;
}

/** Whether the administrator has signed out of a session. One round trip. */
export async function hasEnded(c: AppContext, { id }: Session): Promise<boolean> {
  const database = c.get('database');
  const [ended] = await database.batch('d1.ops.read', [selectEndedSession(database.queries, id)]);
  return ended.length > 0;
}

/** Whether a client may see the operations page. */
export function isAdministrator({ client }: ClientRecord): boolean {
  return client.scopes.includes('admin');
}
