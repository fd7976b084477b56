/** Which bytes of a file are wanted (RFC 9110, section 14). */
export type Selection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly offset: number; readonly length: number }
  | { readonly kind: 'unsatisfiable' };

/**
 * What a `Range` header selects of so many bytes. Several ranges at once, other units and what is no range at all get
 * the whole file, as the standard allows.
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
 * Whether a part may be sent: `If-Range` names the file as it is, or is not there. A time names none: two files of one
 * second would be told apart by nothing.
 */
export function rangeStands(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}
