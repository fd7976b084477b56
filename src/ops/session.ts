import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { clientStanding } from '../clients/directory.ts';
import type { ClientRecord } from '../clients/store.ts';
import { MINUTE_MS } from '../core/time.ts';
import { seal, unseal } from '../crypto/seal.ts';
import { inGoodStanding } from '../http/access.ts';
import type { AppContext } from '../http/context.ts';

/** Where the operations page is. */
export const OPS_PATH = '/ops';

/** How long a page that nobody touches can be gone on with; each page shown begins it anew. */
const IDLE_MS = 30 * MINUTE_MS;

const COOKIE = 'ops';

/** What a session's seal is bound to. */
const CONTEXT = 'ops-session';

const sessionShape = z.object({ clientId: z.string(), untilMs: z.int() });

/** Keeps who has signed in in a cookie that no script can read and no other site can have sent. */
export async function keepSession(c: AppContext, clientId: string): Promise<void> {
  const { keyring } = c.get('config');
  const session: z.infer<typeof sessionShape> = { clientId, untilMs: Date.now() + IDLE_MS };
  const sealed = await seal(keyring, 'ops-session', CONTEXT, JSON.stringify(session));
  setCookie(c, COOKIE, sealed, { ...cookieOptions(c), maxAge: IDLE_MS / 1_000 });
}

/** Takes the session's cookie back. */
export function endSession(c: AppContext): void {
  deleteCookie(c, COOKIE, cookieOptions(c));
}

/** The administrator whose session this is; null when there is none, it was idle for too long, or access was taken back. */
export async function readSession(c: AppContext): Promise<string | null> {
  const sealed = getCookie(c, COOKIE);
  const { keyring, local } = c.get('config');
  const text = sealed && (await unseal(keyring, 'ops-session', CONTEXT, sealed));
  if (!text) return null;
  const { clientId, untilMs } = sessionShape.parse(JSON.parse(text));
  const nowMs = Date.now();
  if (untilMs <= nowMs) return null;
  const standing = await clientStanding(c.get('database'), clientId, nowMs);
  return standing && inGoodStanding(standing, local) && isAdministrator(standing) ? clientId : null;
}

/** Whether a client may see the operations page. */
export function isAdministrator({ client }: ClientRecord): boolean {
  return client.scopes.includes('admin');
}

function cookieOptions(c: AppContext) {
  return {
    path: OPS_PATH,
    httpOnly: true,
    sameSite: 'Strict',
    secure: !c.get('config').local,
  } as const;
}
