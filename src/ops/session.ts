import { z } from 'zod';
import { clientStanding } from '../clients/directory.ts';
import { inGoodStanding } from '../clients/rules.ts';
import type { ClientRecord } from '../clients/store.ts';
import { HOUR_MS } from '../core/time.ts';
import type { AppContext } from '../http/context.ts';
import { dropSealed, keepSealed, readSealed, type SealedCookie } from '../pages/sealedCookie.ts';
import { forgetEndedSessions, insertEndedSession, selectEndedSession } from './store.ts';

/** Where the operations page is. */
export const OPS_PATH = '/ops';

const COOKIE: SealedCookie = {
  name: 'ops',
  path: OPS_PATH,
  sameSite: 'Strict',
  purpose: 'ops-session',
  context: 'ops-session',
};

/** How long an administrator stays signed in at most, whatever happens meanwhile. */
const LONGEST_MS = 12 * HOUR_MS;

const sessionShape = z.object({ id: z.string(), clientId: z.string(), untilMs: z.int() });

/** An administrator who has signed in, and until when that holds at most. */
export type Session = Readonly<z.infer<typeof sessionShape>>;

/** Begins a session of an administrator who has signed in. */
export function newSession(clientId: string): Session {
  return { id: crypto.randomUUID(), clientId, untilMs: Date.now() + LONGEST_MS };
}

/** Keeps a session until nobody has used it for half an hour. */
export function keepSession(c: AppContext, session: Session): Promise<void> {
  return keepSealed(c, COOKIE, session);
}

/** Ends a session for good: its cookie opens nothing from then on, wherever it was kept. One round trip. */
export async function endSession(c: AppContext, { id, untilMs }: Session): Promise<void> {
  const database = c.get('database');
  await database.batch('d1.ops.signOut', [
    forgetEndedSessions(database.queries, Date.now()),
    insertEndedSession(database.queries, { id, untilMs }),
  ]);
  dropSealed(c, COOKIE);
}

/**
 * The session of whoever asks, as far as its cookie tells; null when there is none, its time is over, or access was
 * taken back. Whether it was signed out of is for {@link hasEnded} to say, or for what reads the page.
 */
export async function readSession(c: AppContext): Promise<Session | null> {
  const session = await readSealed(c, COOKIE, sessionShape);
  const nowMs = Date.now();
  if (session === null || session.untilMs <= nowMs) return null;
  const standing = await clientStanding(c.get('database'), session.clientId, nowMs);
  const { local } = c.get('config');
  return standing && inGoodStanding(standing, local) && isAdministrator(standing) ? session : null;
}

/** Whether a session was signed out of. One round trip. */
export async function hasEnded(c: AppContext, { id }: Session): Promise<boolean> {
  const database = c.get('database');
  const [ended] = await database.batch('d1.ops.read', [selectEndedSession(database.queries, id)]);
  return ended.length > 0;
}

/** Whether a client may see the operations page. */
export function isAdministrator({ client }: ClientRecord): boolean {
  return client.scopes.includes('admin');
}
