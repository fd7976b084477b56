import type { z } from 'zod';
import { HOUR_MS } from '../../core/time.ts';
import { type EndingSession, endForGood } from '../../desk/sessions.ts';
import type { AppContext } from '../../http/context.ts';
import { dropSealed, keepSealed, readSealed, type SealedCookie } from './sealedCookie.ts';

/** The longest time that someone stays signed in, even with constant use. */
const LONGEST_MS = 12 * HOUR_MS;

/** The sessions of a site for staff, in a cookie each. */
export class StaffSessions<Session extends EndingSession> {
  readonly #cookie: SealedCookie;
  readonly #shape: z.ZodType<Session>;

  constructor(cookie: SealedCookie, shape: z.ZodType<Session>) {
    this.#cookie = cookie;
    this.#shape = shape;
  }

  /** Keeps a session until it has been idle for half an hour. */
  keep(c: AppContext, session: Session): Promise<void> {
    return keepSealed(c, this.#cookie, session);
  }

  /** The session of a request; null without one, or after its longest time. Whether it was ended, D1 says. */
  async read(c: AppContext): Promise<Session | null> {
    const session = await readSealed(c, this.#cookie, this.#shape);
    return session !== null && session.untilMs > Date.now() ? session : null;
  }

  /** Signs out for good: ends the session of the cookie, whether or not it is good for anything. One round trip. */
  async end(c: AppContext): Promise<void> {
    const session = await readSealed(c, this.#cookie, this.#shape);
    if (session !== null) await endForGood(c.get('database'), session, Date.now());
    dropSealed(c, this.#cookie);
  }
}

/** What every session has, for someone who has just signed in. */
export function newSession(): EndingSession {
  return { id: crypto.randomUUID(), untilMs: Date.now() + LONGEST_MS };
}
