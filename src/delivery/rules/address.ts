/**
 * Whether the service may send messages to this address: `https` on port 443 with a public host name. User-info, IP
 * literals in any notation, and private or link-local names are not allowed, so that a setting cannot make the service
 * call an internal system. `local` also allows loopback http, for development.
 */
export function isAllowedAddress(address: string, local: boolean): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  // User-info, even an empty one, needs an @. The parser drops or escapes control characters.
  if (url === null || /[@\p{Cc}]/u.test(address)) return false;
  if (local && LOOPBACK_HTTP.test(address)) return true;
  return url.protocol === 'https:' && url.port === '' && isPublicHostName(url.hostname);
}

/** Matched against the address as written, because the URL parser also normalises other notations to this one. */
const LOOPBACK_HTTP = /^http:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}(?:[/?#]|$)/;

/** Names that resolve only inside a network (RFC 6761, 6762, 8375 and common practice). */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'arpa',
  'onion',
  'test',
  'invalid',
  'example',
];

/** Expects a parsed host name, in which IPv4 is a dotted quad in any notation, and IPv6 has brackets. */
function isPublicHostName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  const wellFormed = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  const isAddress = /^\d+$/.test(labels.at(-1) ?? '');
  const isPrivate = PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
  return labels.length > 1 && name.length <= 253 && wellFormed && !isAddress && !isPrivate;
}
