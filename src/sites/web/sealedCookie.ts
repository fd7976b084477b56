import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { SECOND_MS } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import type { KeyPurpose } from '../../platform/crypto/keyring.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';

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
  /** How long it holds from when it was kept. */
  readonly lifeMs: number;
  /** How much longer browsers keep it, so that a page can say that there was a session. */
  readonly rememberedMs?: number;
}

export async function keepSealed(c: AppContext, cookie: SealedCookie, kept: object): Promise<void> {
  const { keyring } = c.get('config');
  const text = JSON.stringify({ kept, untilMs: Date.now() + cookie.lifeMs });
  const sealed = await seal(keyring, cookie.purpose, cookie.context, text);
  const maxAge = (cookie.lifeMs + (cookie.rememberedMs ?? 0)) / SECOND_MS;
  setCookie(c, nameOf(c, cookie), sealed, { ...optionsOf(c, cookie), maxAge });
}

/** Whether the browser has the cookie, whatever that is still good for. */
export function hasCookie(c: AppContext, cookie: SealedCookie): boolean {
  return Boolean(getCookie(c, nameOf(c, cookie)));
}

/** Reads a cookie's value; null if it is missing, expired, or not sealed by this service. */
export async function readSealed<T>(
  c: AppContext,
  cookie: SealedCookie,
  kept: z.ZodType<T>,
): Promise<T | null> {
  const opened = await openSealed(c, cookie, kept);
  return opened !== null && opened.untilMs > Date.now() ? opened.kept : null;
}

/** Reads what a cookie holds, though it may have expired: it says where somebody was, and opens nothing. */
export async function rememberedIn<T>(
  c: AppContext,
  cookie: SealedCookie,
  kept: z.ZodType<T>,
): Promise<T | null> {
  return (await openSealed(c, cookie, kept))?.kept ?? null;
}

async function openSealed<T>(c: AppContext, cookie: SealedCookie, kept: z.ZodType<T>) {
  const sealed = getCookie(c, nameOf(c, cookie));
  const { keyring } = c.get('config');
  const text = sealed && (await unseal(keyring, cookie.purpose, cookie.context, sealed));
  if (!text) return null;
  return z.object({ kept, untilMs: z.int() }).safeParse(JSON.parse(text)).data ?? null;
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
