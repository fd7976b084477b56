const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
});

/** The headers of answers (interface: Headers of every answer). */
export const headers = {
  'X-Request-Id': text(
    'The id of the request, also in the logs.',
    '01998f00-0000-7000-8000-000000000000',
  ),
  'RateLimit-Policy': text(
    'How many requests a client may send in how many seconds.',
    '"client";q=1000;w=10',
  ),
  'Server-Timing': text(
    'Calls and milliseconds of the database, the gateway and objects, and the total.',
    'd1;desc="2";dur=4, total;dur=9',
  ),
  'Retry-After': text('The seconds after which to try again.', '2'),
  'Idempotency-Replayed': text('`true` when this is the first answer to the same key.', 'true'),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
  ETag: text('The version of the file.', '"5f2b"'),
  'Last-Modified': text('When the file was made.', 'Sun, 14 Feb 2027 01:00:00 GMT'),
  'Repr-Digest': text('The SHA-256 digest of the whole file.', 'sha-256=:AAAA:'),
  'Content-Range': text('The part of the file.', 'bytes 0-99/1000'),
} as const;

type HeaderName = keyof typeof headers;

const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'Server-Timing'];
const OF_FILES: readonly HeaderName[] = ['ETag', 'Last-Modified', 'Repr-Digest'];

/** The headers that an answer of an operation has, as references to the components. */
export function headersOf(
  path: string,
  status: string,
  isIdempotent: boolean,
): Record<string, { $ref: string }> {
  const names = [...ALWAYS];
  if (['429', '502', '503'].includes(status)) names.push('Retry-After');
  if (['401', '403'].includes(status)) names.push('WWW-Authenticate');
  if (isIdempotent && !['400', '401', '403', '413', '415', '429', '500'].includes(status)) {
    names.push('Idempotency-Replayed');
  }
  if (path === '/export' && ['200', '206', '304'].includes(status)) names.push(...OF_FILES);
  if (path === '/export' && ['206', '416'].includes(status)) names.push('Content-Range');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
