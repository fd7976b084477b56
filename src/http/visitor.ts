import { holdsCardNumber } from '../core/cardNumbers.ts';
import type { Visitor } from '../records/guestActs/rules.ts';
import type { AppContext } from './context.ts';

/** The most characters that are kept of what a browser says that it is. */
const LONGEST_BROWSER = 400;

/** From where a request comes: the address as Cloudflare reports it, and the browser as it names itself. */
export function visitorOf(c: AppContext): Visitor {
  const ipAddress = c.req.header('CF-Connecting-IP') ?? null;
  const browser = (c.req.header('User-Agent') ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, LONGEST_BROWSER);
  return { ipAddress, browser: browser === '' || holdsCardNumber(browser) ? null : browser };
}
