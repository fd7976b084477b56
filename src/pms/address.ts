/**
 * Whether a PMS may be sent messages at this address: `https` on port 443 with a public host name. User-info,
 * IP literals in any notation, and private or link-local names are refused, so that nobody can point the
 * service at what only it can reach. Local development admits loopback http besides.
 */
export function isAllowedPmsAddress(address: string, local: boolean): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  // There is no user-info without this sign, not even an empty one.
  if (url === null || address.includes('@')) return false;
  if (local && LOOPBACK_HTTP.test(address)) return true;
  return url.protocol === 'https:' && url.port === '' && isPublicHostName(url.hostname);
}

/** As written, since the URL parser turns every notation of the loopback address into this one. */
const LOOPBACK_HTTP = /^http:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}(?:[/?#]|$)/;

/** Names that only mean something inside a network (RFC 6761, 6762, 8375 and common practice). */
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

/** The URL parser has already turned every numeric notation of IPv4 into dotted quads, and IPv6 into brackets. */
function isPublicHostName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  const wellFormed = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  const isAddress = /^\d+$/.test(labels.at(-1) ?? '');
  const isPrivate = PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
  return labels.length > 1 && name.length <= 253 && wellFormed && !isAddress && !isPrivate;
}
