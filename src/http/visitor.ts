import type { Context } from 'hono';
import { distinctRemoteAddr, expandIPv6 } from 'hono/utils/ipaddr';

/** How much of an IPv6 address is one visitor's network: 64 bits, in groups of 16. Whoever has one address has all of them. */
const NETWORK_GROUPS = 4;

/** Whom requests without credentials are counted by: the network that they came from, as Cloudflare says. */
export function visitorOf(c: Context): string {
  const address = c.req.header('CF-Connecting-IP');
  if (address === undefined) return 'local';
  if (distinctRemoteAddr(address) !== 'IPv6') return address;
  return expandIPv6(address).split(':').slice(0, NETWORK_GROUPS).join(':');
}
