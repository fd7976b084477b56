import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { MINUTE_MS } from '../core/time.ts';
import type { KeyPurpose } from '../crypto/keyring.ts';
import { seal, unseal } from '../crypto/seal.ts';
import type { AppContext } from '../http/context.ts';

/** How long a page that nobody touches can be gone on with; each page shown begins it anew. */
const IDLE_MS = 30 * MINUTE_MS;

/** A cookie that only this service can read, and that no script of a page can have. */
export interface SealedCookie {
  readonly name: string;
  /** The pages that it is sent to. */
  readonly path: string;
  /** `Lax` where people come by links of other sites. */
  readonly sameSite: 'Lax' | 'Strict';
  readonly purpose: KeyPurpose;
  /** What its seal is bound to: it opens as no other cookie. */
  readonly context: string;
}

/** Keeps something in a cookie until its pages have been idle for too long. */
export async function keepSealed(c: AppContext, cookie: SealedCookie, kept: object): Promise<void> {
  const { keyring } = c.get('config');
  const text = JSON.stringify({ kept, untilMs: Date.now() + IDLE_MS });
  const sealed = await seal(keyring, cookie.purpose, cookie.context, text);
  setCookie(c, nameOf(c, cookie), sealed, { ...optionsOf(c, cookie), maxAge: IDLE_MS / 1_000 });
}

/** What a cookie holds; null when there is none, its pages were idle for too long, or it is none of this service's. */
export async function readSealed<T>(
  c: AppContext,
  cookie: SealedCookie,
  kept: z.ZodType<T>,
): Promise<T | null> {
  const sealed = getCookie(c, nameOf(c, cookie));
  const { keyring } = c.get('config');
  const text = sealed && (await unseal(keyring, cookie.purpose, cookie.context, sealed));
  if (!text) return null;
  const read = z.object({ kept, untilMs: z.int() }).safeParse(JSON.parse(text));
  return read.success && read.data.untilMs > Date.now() ? read.data.kept : null;
}

/** Takes a cookie back. */
export function dropSealed(c: AppContext, cookie: SealedCookie): void {
  deleteCookie(c, nameOf(c, cookie), optionsOf(c, cookie));
}

/** A name that browsers take over TLS alone; a local start is reached without. */
function nameOf(c: AppContext, { name }: SealedCookie): string {
  return c.get('config').local ? name : `__Secure-${name}`;
}

function optionsOf(c: AppContext, { path, sameSite }: SealedCookie) {
  return { path, sameSite, httpOnly: true, secure: !c.get('config').local } as const;
}
