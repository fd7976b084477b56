import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { AppContext } from '../../http/context.ts';
import type { KeyPurpose } from '../../platform/crypto/keyring.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import { LIVES } from '../../records/keyring/lives.ts';

/** How long a session stays valid without use; each page shown restarts this time. */
const IDLE_MS = LIVES.session;

/** A cookie that only this service can read; page scripts cannot access it. */
export interface SealedCookie {
  readonly name: string;
  /** Browsers send it to the pages below this path. */
  readonly path: string;
  /** `Lax` where people arrive by links from other sites. */
  readonly sameSite: 'Lax' | 'Strict';
  readonly purpose: KeyPurpose;
  /** The seal's context: a value sealed for one cookie cannot be unsealed as another. */
  readonly context: string;
}

/** Keeps a value in a cookie until the session has been idle for too long. */
export async function keepSealed(c: AppContext, cookie: SealedCookie, kept: object): Promise<void> {
  const { keyring } = c.get('config');
  const text = JSON.stringify({ kept, untilMs: Date.now() + IDLE_MS });
  const sealed = await seal(keyring, cookie.purpose, cookie.context, text);
  setCookie(c, nameOf(c, cookie), sealed, { ...optionsOf(c, cookie), maxAge: IDLE_MS / 1_000 });
}

/** Reads a cookie's value; null if it is missing, expired, or not sealed by this service. */
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

export function dropSealed(c: AppContext, cookie: SealedCookie): void {
  deleteCookie(c, nameOf(c, cookie), optionsOf(c, cookie));
}

/** Browsers accept `__Secure-` names only over TLS, which a local start does not have. */
function nameOf(c: AppContext, { name }: SealedCookie): string {
  return c.get('config').local ? name : `__Secure-${name}`;
}

function optionsOf(c: AppContext, { path, sameSite }: SealedCookie) {
  return { path, sameSite, httpOnly: true, secure: !c.get('config').local } as const;
}
