/**
 * Every operation of the document with bodies that nobody means: none is a 500, and every answer is as the document says.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PmsDispatcher } from '../../src/outbox/object.ts';
import { adminToken, engineToken, freshDatabase, http } from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import { giveRooms } from '../support/rooms.ts';
import { type Existing, samples } from '../support/samples.ts';

interface Operation {
  readonly security?: Record<string, string[]>[];
  readonly responses: Record<string, { readonly content?: Record<string, { schema: Schema }> }>;
}

const document = (await (await http('/openapi.json')).json()) as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Schema;
};

/** How many bodies each operation gets. */
const BODIES = 25;

let existing: Existing;

beforeAll(async () => {
  vi.spyOn(PmsDispatcher.prototype, 'poke').mockResolvedValue();
  // No PMS and no acquirer but the embedded one: whatever would go out does not answer.
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('out of reach'));
  await freshDatabase();
  existing = await makeExisting();
  await giveRooms();
});

afterAll(() => vi.restoreAllMocks());

/** Values that break what does not look closely. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
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

type Change = (body: Record<string, unknown>) => unknown;

/** A body with one member changed, dropped or added, somewhere in it; or something else altogether. */
const changes: fc.Arbitrary<Change> = fc.oneof(
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

const validators = new Map<string, Validator>();

/** What is wrong with an answer by the document; null when nothing is. */
function fault(path: string, operation: Operation, status: number, type: string, body: unknown) {
  const described = operation.responses[String(status)]?.content?.[type];
  if (!described) return `${status} ${type} is not described`;
  const name = `${path} ${status} ${type}`;
  const schema = { ...described.schema, components: document.components } as Schema;
  const validator = validators.get(name) ?? new Validator(schema, '2020-12', true);
  validators.set(name, validator);
  const { valid, errors } = validator.validate(body);
  return valid ? null : JSON.stringify(errors.slice(-2));
}

const guarded = Object.entries(document.paths).flatMap(([path, { post }]) => {
  const scope = post?.security?.[0]?.['bearer']?.[0];
  return post && scope ? [{ path, operation: post, scope }] : [];
});

describe.each(guarded)('$path', ({ path, operation, scope }) => {
  it('answers whatever it is sent as the document says, and never with a 500', async () => {
    const token = scope === 'admin' ? await adminToken() : await engineToken();
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 3 }), async (several) => {
        let body: unknown = samples[path]?.body(existing) ?? {};
        for (const change of several) {
          body = change(body !== null && typeof body === 'object' ? { ...body } : {});
        }
        const response = await http(path, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body) ?? '',
        });
        const type = response.headers.get('Content-Type')?.split(';')[0] ?? '';
        const answer: unknown = await response.json();
        expect(response.status, JSON.stringify(answer)).not.toBe(500);
        expect(
          fault(path, operation, response.status, type, answer),
          JSON.stringify(answer),
        ).toBeNull();
      }),
      { numRuns: BODIES, endOnFailure: true },
    );
  });
});
