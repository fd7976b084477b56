/** What any regular expression engine reads: no classes by Unicode property, no look-around. */
const NOT_PORTABLE = /\\[pP]\{|\(\?[=!<]/;

/**
 * A pattern that every engine reads. One of printable characters becomes one of any characters of that length; any other
 * that is not portable goes, and its description and format remain.
 */
function portable(pattern: string): string | undefined {
  if (!NOT_PORTABLE.test(pattern)) return pattern;
  const most = /\\p\{.*\]\{1,(\d+)\}/.exec(pattern)?.[1];
  if (most === undefined) return undefined;
  return pattern.includes('(?! )') ? `^\\S(?:.{0,${Number(most) - 2}}\\S)?$` : `^.{1,${most}}$`;
}

/** A copy of a part of the document with portable patterns only. */
export function withPortablePatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPortablePatterns);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).flatMap(([name, of]): [string, unknown][] => {
    if (name !== 'pattern' || typeof of !== 'string') return [[name, withPortablePatterns(of)]];
    const pattern = portable(of);
    return pattern === undefined ? [] : [[name, pattern]];
  });
  return Object.fromEntries(members);
}
