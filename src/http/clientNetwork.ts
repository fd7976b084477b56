import type { Context } from 'hono';
import { distinctRemoteAddr, expandIPv6 } from 'hono/utils/ipaddr';

/** The network part of an IPv6 address: 64 bits, in groups of 16. A visitor with one address controls all of them. */
const NETWORK_GROUPS = 4;

/** The rate limits' key for requests without credentials: the client's network, as Cloudflare reports it. */
export function clientNetwork(c: Context): string {
  const address = c.req.header('CF-Connecting-IP');
  if (address === undefined) return 'local';
  if (distinctRemoteAddr(address) !== 'IPv6') return address;
  return expandIPv6(address).split(':').slice(0, NETWORK_GROUPS).join(':');
}
