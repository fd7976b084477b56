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
