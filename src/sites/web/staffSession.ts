import { z } from 'zod';
import { DAY_MS } from '../../core/time.ts';
import { endForGood, endStaffSession } from '../../desk/sessions.ts';
import type { AppContext } from '../../http/context.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import {
  dropSealed,
  hasCookie,
  keepSealed,
  readSealed,
  type SealedCookie,
} from './sealedCookie.ts';

const sessionShape = z.object({
  id: z.string(),
  untilMs: z.int(),
  /** The administrator's client that signed in by its secret; absent for a person. */
  clientId: z.string().optional(),
});

/** Who is signed in, in the console and on the operations page alike. */
export type StaffSession = Readonly<z.infer<typeof sessionShape>>;

/** The sites of staff, by the first part of their paths. */
export type SiteName = 'console' | 'ops';

/** How long after its end browsers remember that a person had a session. */
const REMEMBERED_MS = 14 * DAY_MS;

/** The same session below the path of each site. A client's ends without use: each page makes its cookies again. */
function cookieOf(name: SiteName, isClient = false): SealedCookie {
  return {
    name,
    path: `/${name}`,
    // People arrive in the console by links in mails.
    sameSite: name === 'console' ? 'Lax' : 'Strict',
    purpose: `${name}-session`,
    context: `${name}-session`,
    lifeMs: isClient ? LIVES.session : LIVES.shift,
    rememberedMs: isClient ? 0 : REMEMBERED_MS,
  };
}

/** The site that a path is of; null for none. */
export function siteNameOf(path: string): SiteName | null {
  const sites: readonly SiteName[] = ['console', 'ops'];
  return sites.find((name) => path === `/${name}` || path.startsWith(`/${name}/`)) ?? null;
}

/** The sites, first that of the request. */
function sitesOf(c: AppContext): readonly SiteName[] {
  return siteNameOf(c.req.path) === 'ops' ? ['ops', 'console'] : ['console', 'ops'];
}

export async function keepSession(c: AppContext, session: StaffSession): Promise<void> {
  for (const site of sitesOf(c)) {
    await keepSealed(c, cookieOf(site, session.clientId !== undefined), session);
  }
}

/** Whether the browser had a session here lately. */
export function hadSession(c: AppContext): boolean {
  return sitesOf(c).some((site) => hasCookie(c, cookieOf(site)));
}

/** The session of a request; null without one, or after its longest time. Whether it was ended, D1 says. */
export async function readSession(c: AppContext): Promise<StaffSession | null> {
  const [site = 'console'] = sitesOf(c);
  const session = await readSealed(c, cookieOf(site), sessionShape);
  return session !== null && session.untilMs > Date.now() ? session : null;
}

/** Ends a session for good, whether or not it is good for anything: copies of its cookies stop working too. One round trip. */
export function endSession(c: AppContext, session: StaffSession): Promise<void> {
  const end = session.clientId === undefined ? endStaffSession : endForGood;
  return end(c.get('database'), session, Date.now());
}

/** Signs out. */
export async function dropSession(c: AppContext): Promise<void> {
  const [site = 'console'] = sitesOf(c);
  const session = await readSealed(c, cookieOf(site), sessionShape);
  if (session !== null) await endSession(c, session);
  for (const one of sitesOf(c)) dropSealed(c, cookieOf(one));
}
