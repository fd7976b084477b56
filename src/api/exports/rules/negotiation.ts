/** The bytes of a file that a request selects (RFC 9110, section 14). */
export type Selection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly offset: number; readonly length: number }
  | { readonly kind: 'unsatisfiable' };

/**
 * The bytes that a `Range` header selects of a file of `size` bytes. Several ranges, other units and malformed headers
 * select the whole file, as the standard allows.
 */
export function selectRange(header: string | undefined, size: number): Selection {
  const parts = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i.exec(header?.trim() ?? '');
  if (!parts) return { kind: 'whole' };
  const [, first = '', last = '', suffix = ''] = parts;
  if (last !== '' && Number(last) < Number(first)) return { kind: 'whole' };
  const offset = suffix === '' ? Number(first) : Math.max(0, size - Number(suffix));
  const end = last === '' ? size : Math.min(size, Number(last) + 1);
  return offset < end ? { kind: 'part', offset, length: end - offset } : { kind: 'unsatisfiable' };
}

/**
 * Whether the service may send a part: `If-Range` is absent or names the current file. A date never matches, because it
 * cannot distinguish two files of the same second.
 */
export function ifRangeMatches(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}

/**
 * Whether a client accepts gzip, and does not prefer the file as it is (RFC 9110, section 12.5.3). Null means that it
 * sent no `Accept-Encoding`.
 */
export function acceptsGzip(acceptEncoding: string | null): boolean {
  const weights = new Map((acceptEncoding ?? '').split(',').map(weightOf));
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** A coding and its weight: 0 refuses it, and 1 is the default. */
function weightOf(entry: string): readonly [string, number] {
  const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (weight === undefined) return [coding, 1];
  return [coding, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
}
