/** Values that nobody means, and bodies, headers and queries made of them. */
import * as fc from 'fast-check';

/** Values that break what does not look closely. */
export const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    -1,
    0,
    -0,
    1e308,
    9_007_199_254_740_992,
    0.1 + 0.2,
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    'NaN',
    '\u0000',
    '\ud800',
    '\u202e',
    '💳'.repeat(40),
    "'; DROP TABLE bookings; --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '9999-99-99',
    '31-02-2027',
    '2027-02-14T00:00:00',
    'x'.repeat(70_000),
    {},
    [],
    [[[[]]]],
    true,
  ),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString())),
);

const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'reference', 'amount', 'x');

/** What is done to a body. */
export type Change = (body: Record<string, unknown>) => unknown;

/** A body with one member changed, dropped or added, somewhere in it; or something else altogether. */
export const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(), strange).map(
      ([at, value]): Change =>
        (body) => {
          const paths = pathsOf(body);
          return set(body, paths[at % Math.max(1, paths.length)] ?? [], () => value);
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat().map(
      (at): Change =>
        (body) => {
          const paths = pathsOf(body);
          return set(body, paths[at % Math.max(1, paths.length)] ?? [], () => undefined);
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(names, strange).map(
      ([name, value]): Change =>
        (body) =>
          Object.defineProperty({ ...body }, name, { value, enumerable: true }),
    ),
  },
  {
    weight: 1,
    arbitrary: strange.map(
      (value): Change =>
        () =>
          value,
    ),
  },
);

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [at];
  const inner = Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...at, name]));
  return at.length === 0 ? inner : [at, ...inner];
}

function set(value: unknown, [name, ...rest]: Path, change: () => unknown): unknown {
  if (name === undefined || value === null || typeof value !== 'object') return change();
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? (structuredClone(value) as unknown as Record<number, unknown>)
    : { ...value };
  copy[name] = set(copy[name], rest, change);
  return copy;
}

/** A body after these changes; whatever it has become is taken for an object again before the next one. */
export function changed(body: object, several: readonly Change[]): unknown {
  let now: unknown = body;
  for (const change of several) {
    now = change(now !== null && typeof now === 'object' ? { ...now } : {});
  }
  return now;
}

/** A strange value as a text that can stand in a header. */
export const headerValue: fc.Arbitrary<string> = fc
  .oneof(
    strange.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    fc.constantFrom(
      'k',
      '"k"',
      '"',
      '"k',
      '\\',
      '4242424242424242',
      'x'.repeat(255),
      'x'.repeat(256),
    ),
  )
  .map((text) => text.replaceAll(/[^\x20-\x7e\xa1-\xff]/g, '~').slice(0, 4_000));

/** The query of an address: names that are known or are not, once or more often, with strange values; or any text. */
export function queries(known: readonly string[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom('', 'x', '__proto__', ...known),
    fc.string({ maxLength: 8 }),
  );
  const value = strange.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const written = (text: string) => encodeURIComponent(text.toWellFormed().slice(0, 1_000));
  return fc.oneof(
    fc.constant(''),
    fc
      .array(fc.tuple(name, fc.oneof(fc.constantFrom('1', '0', ''), value)), { maxLength: 4 })
      .map(
        (pairs) => `?${pairs.map(([one, other]) => `${written(one)}=${written(other)}`).join('&')}`,
      ),
    // As it was typed: escapes that are none, and names without values.
    fc.constantFrom('?%', '?%zz=%', '?a=%e0%a4%a', '?&&=&', `?${'a&'.repeat(500)}`, '?x=%00'),
  );
}
