/** A file of one portfolio reads the rows of its own properties, however many others the database has. */
import { beforeAll, describe, expect, it } from 'vitest';
import { fillExportData } from '../../scripts/exportData.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { makeProperty, testEnv } from '../support/api.ts';
import { used } from '../support/counting.ts';
import { fetchExport, makeExportAt } from '../support/exports.ts';
import { scannedBy, statementsSent } from '../support/plans.ts';
import { story } from '../support/story.ts';

const sent = statementsSent();

story({ silent: ['news', 'pms'] });

/** In how many places among the ids each property has customers. */
const PLACES = 5;

/** How many customers a property has in each place. */
const SMALL = 10;
const LARGE = 3_300;
const BESIDE = 700;

const ROWS_OF_SMALL = 2 * PLACES * SMALL;
const ROWS_OF_LARGE = PLACES * (LARGE + BESIDE);

/** How many rows a file may read for each of its lines: its customers and applications, by their keys and whole. */
const MOST_READ = 25;

const variants = ['propertySystem', 'applicationConsole'] as const;

beforeAll(async () => {
  await makeProperty('north', { portfolio: 'northern' });
  await makeProperty('south', { portfolio: 'northern' });
  await makeProperty('beside');
  let first = 1;
  const fill = async (property: string, customers: number) => {
    await fillExportData(testEnv.DB, { property, currency: 'AUD', customers, first });
    first += customers;
  };
  for (let place = 0; place < PLACES; place += 1) {
    await fill('north', SMALL);
    await fill('demo', LARGE);
    await fill('south', SMALL);
    await fill('beside', BESIDE);
  }
});

const make = (variant: (typeof variants)[number], portfolio: string) =>
  makeExportAt(Date.now() + HOUR_MS, variant, portfolio);

describe.each(variants)('a file of %s', (variant) => {
  it(`of ${ROWS_OF_SMALL} customers reads few rows beside ${ROWS_OF_LARGE} of another portfolio`, async () => {
    const { rowsRead } = await used(async () => {
      expect((await make(variant, 'northern')).rows).toBe(ROWS_OF_SMALL);
    });
    expect(rowsRead).toBeLessThan(MOST_READ * ROWS_OF_SMALL);
  });

  it('of many pages is ordered by ids, whatever property they are of', async () => {
    const { rowsRead } = await used(async () => {
      expect((await make(variant, 'default')).rows).toBe(ROWS_OF_LARGE);
    });
    expect(rowsRead).toBeLessThan(MOST_READ * ROWS_OF_LARGE);
    const file = await (await fetchExport(`${variant}=1`)).text();
    // The first application of each line, by the number of its customer.
    const numbers = file.split('\n').flatMap((line) => /"APP-\w+-(\d+)"/.exec(line)?.[1] ?? []);
    const order = numbers.map(Number);
    expect(order).toHaveLength(ROWS_OF_LARGE);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });
});

it('every statement that was sent finds its rows by an index', async () => {
  expect(await scannedBy(sent)).toEqual([]);
});
