import meanings from '../../examples/meanings.json' with { type: 'json' };

/** What any regular expression engine reads: no classes by Unicode property, no look-around. */
const NOT_PORTABLE = /\\[pP]\{|\(\?[=!<]/;

/**
 * A pattern that every engine reads. One of printable characters becomes one of any characters of that length; any other
 * that is not portable goes, and its description and format remain.
 */
function readable(pattern: string): string | undefined {
  if (!NOT_PORTABLE.test(pattern)) return pattern;
  const most = /\\p\{.*\]\{1,(\d+)\}/.exec(pattern)?.[1];
  if (most === undefined) return undefined;
  return pattern.includes('(?! )') ? `^\\S(?:.{0,${Number(most) - 2}}\\S)?$` : `^.{1,${most}}$`;
}

type Members = Readonly<Record<string, unknown>>;

/** What members of these names mean wherever their schemas do not say more. */
const MEANINGS: Readonly<Record<string, string>> = meanings;

/**
 * A copy of a part of the document with portable patterns only, with what is said of a reference beside it, and with the
 * meaning of each member.
 */
export function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(referenceOf(value) ?? value).flatMap(
    ([name, of]): [string, unknown][] => {
      if (name === 'properties') return [[name, described(of as Members)]];
      if (name !== 'pattern' || typeof of !== 'string') return [[name, portable(of)]];
      const pattern = readable(of);
      return pattern === undefined ? [] : [[name, pattern]];
    },
  );
  return Object.fromEntries(members);
}

/** The members of an object, which may have any names, each with its meaning. */
function described(properties: Members): Members {
  const all = Object.entries(properties).map(([name, of]) => {
    const schema = portable(of) as Members;
    const description = schema['description'] ?? MEANINGS[name];
    return [name, description === undefined ? schema : { ...schema, description }];
  });
  return Object.fromEntries(all) as Members;
}

/** A reference with its own description. The generator writes both as parts of `allOf`, from which clients make types. */
function referenceOf(value: object): Members | null {
  const { allOf, ...beside } = value as Members;
  if (!Array.isArray(allOf)) return null;
  const [reference, said = {}, ...others] = allOf as Members[];
  const own = { ...said, ...beside };
  const saysOnly = Object.keys(own).every((name) => ['description', 'example'].includes(name));
  return reference?.['$ref'] && saysOnly && others.length === 0 ? { ...reference, ...own } : null;
}
