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
