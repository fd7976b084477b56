import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { house, MONEY, ROOMS } from '../../.dependency-cruiser.ts';
import { PURE_RULES } from '../../scripts/mutation/changes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const copies: string[] = [];

afterEach(() => {
  for (const copy of copies.splice(0)) rmSync(copy, { recursive: true });
});

/** The rules that a copy of `src` breaks once each of these files also has its import. */
async function brokenBy(additions: Readonly<Record<string, string>>): Promise<string[]> {
  const copy = mkdtempSync(path.join(tmpdir(), 'house-'));
  copies.push(copy);
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  cpSync(path.join(root, 'src'), path.join(copy, 'src'), { recursive: true });
  for (const data of ['locales', 'examples']) {
    cpSync(path.join(root, data), path.join(copy, data), { recursive: true });
  }
  for (const [file, line] of Object.entries(additions)) {
    const at = path.join(copy, 'src', file);
    writeFileSync(at, `${line}\n${readFileSync(at, 'utf8')}`);
  }
  const { options = {}, ...ruleSet } = house;
  const { output } = await cruise(['src'], {
    ...options,
    baseDir: copy,
    preserveSymlinks: true,
    validate: true,
    ruleSet,
  });
  if (typeof output === 'string') throw new Error('no result');
  return output.summary.violations.map(({ from, rule }) => `${from} ${rule.name}`);
}

/** Imports of values that each break a rule, whatever the others do: one run finds them all. */
const WRONG_VALUES = {
  'money/refunds/rules.ts': "import { releaseHolds } from '../payments/cancelPending.ts';",
  'records/rooms/store.ts': "import { saveRecord } from '../applications/records.ts';",
  'schema/roomTables.ts': "import { grossUp } from '../money/pricing/fees.ts';",
  'platform/crypto/seal.ts': "import { mirrorPayout } from '../../disbursements/mirror.ts';",
  'sites/guest/language.ts': "import { bookingBody } from '../../api/bookings/schemas.ts';",
};

/** The same with libraries. */
const WRONG_LIBRARIES = {
  'money/payments/charge.ts': "import { Hono } from 'hono';",
  'booking/sweep.ts': "import { html } from 'hono/html';",
  'records/rooms/actions.ts': "import { drizzle } from 'drizzle-orm/d1';",
};

/** Imports of types, apart: the circles among them are circles of types. */
const WRONG_TYPES = {
  'platform/env.ts': "import type { BookingObject } from '../booking/object.ts';",
  'core/money.ts': "import type { Priced } from '../money/pricing/fees.ts';",
  'money/payments/rules.ts': "import type { RefundPart } from '../refunds/rules.ts';",
  'money/payments/charge.ts': "import type { Situation } from '../recovery/rules.ts';",
};

describe('the order of rooms', () => {
  test.each([
    ['src', ROOMS],
    ['src/money', MONEY],
  ])('knows every folder of %s', (folder, order) => {
    const folders = readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(order.toSorted()).toEqual(folders.toSorted());
  });
});

describe('the direction of imports', () => {
  let values: string[];
  let types: string[];

  beforeAll(async () => {
    values = await brokenBy({ ...WRONG_VALUES, ...WRONG_LIBRARIES });
    types = await brokenBy(WRONG_TYPES);
  }, 60_000);

  test('is kept by every other file of src', () => {
    const changed = [WRONG_VALUES, WRONG_LIBRARIES].flatMap(Object.keys);
    const files = values.map((one) => one.split(' ', 1)[0]?.slice('src/'.length));
    expect(files.filter((file) => !changed.includes(file ?? ''))).toEqual([]);
  });

  test('forbids rules that call a verb, stores that call a verb, and rooms that look upwards', () => {
    expect(values).toEqual(
      expect.arrayContaining([
        'src/money/refunds/rules.ts pure',
        'src/records/rooms/store.ts store',
        'src/schema/roomTables.ts rooms-schema',
        'src/platform/crypto/seal.ts rooms-platform',
      ]),
    );
  });

  test('counts imports of types', () => {
    expect(types).toEqual(
      expect.arrayContaining([
        'src/platform/env.ts rooms-platform',
        expect.stringMatching(/ no-circle$/),
        'src/core/money.ts rooms-core',
      ]),
    );
  });

  test('keeps the sites from the interface, and payments from refunds and recovery', () => {
    expect(values).toContain('src/sites/guest/language.ts apart-sites-api');
    expect(types).toContain('src/money/payments/rules.ts money-payments');
    expect(types).toContain('src/money/payments/charge.ts money-payments');
  });

  test('keeps HTTP libraries from verbs, and D1 from all but the database', () => {
    const files = Object.keys(WRONG_LIBRARIES).map((file) => `src/${file} `);
    const theirs = values.filter((one) => files.some((file) => one.startsWith(file)));
    expect(theirs.toSorted()).toEqual([
      'src/booking/sweep.ts http-libraries',
      'src/money/payments/charge.ts http-libraries',
      'src/records/rooms/actions.ts d1',
    ]);
  });
});

describe('a file that was moved', () => {
  const { overrides } = JSON.parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8')) as {
    readonly overrides: readonly { readonly files: readonly string[] }[];
  };

  test.each([
    ['of mutation tests', PURE_RULES],
    ['.oxlintrc.json', overrides.flatMap(({ files }) => files.flatMap(alternatives))],
  ])('falls out of no list of files: %s', (_, patterns) => {
    const empty = patterns.filter((one) => globSync(one, { cwd: root }).length === 0);
    expect(empty).toEqual([]);
  });
});

/** A pattern, once for each alternative in braces. */
function alternatives(pattern: string): readonly string[] {
  const [, before, choices, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return choices?.split(',').map((one) => `${before}${one}${after}`) ?? [pattern];
}
