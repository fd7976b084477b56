/**
 * `npm run check:export`: fills a database, makes the daily files, loads them into DuckDB by the service's schema, and
 * compares counts and sums with D1. Exits with 1 when any differs.
 */
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fetchExport, makeExport } from './checkExport/client.ts';
import type { SchemaField } from './checkExport/duckdbTypes.ts';
import { expectations, type Variant } from './checkExport/expectations.ts';
import { loadExport } from './checkExport/load.ts';
import { root } from './environment.ts';
import { fillExportData } from './exportData.ts';
import { prepareState, withDatabase } from './prepare.ts';
import { seeded } from './seed.ts';
import { freePort, startService } from './service.ts';

/** The number of customers in the files. */
const CUSTOMERS = 30_000;

const scratch = path.join(root, '.wrangler');
mkdirSync(scratch, { recursive: true });
const folder = mkdtempSync(path.join(scratch, 'check-export-'));
const persistTo = path.join(folder, 'state');

try {
  progress(`Filling a database with ${CUSTOMERS} customers`);
  const expected = await fill();
  progress('Starting the service');
  const service = await startService({ port: await freePort(), persistTo, crons: false });
  try {
    for (const variant of ['propertySystem', 'applicationConsole'] as const) {
      if (!(await check(service.url, variant, expected))) process.exitCode = 1;
    }
  } finally {
    await service.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Fills the database, and computes the expected values in it. */
async function fill(): Promise<Map<string, string>> {
  await prepareState(persistTo);
  return withDatabase(persistTo, async (d1) => {
    const data = { property: seeded.property, currency: 'AUD', customers: CUSTOMERS };
    await fillExportData(d1, data);
    const values = new Map<string, string>();
    for (const { variant, what, d1: query } of expectations) {
      const row = await d1.prepare(`SELECT (${query}) AS value`).bind(seeded.property).first();
      values.set(`${variant} ${what}`, String(row?.['value']));
    }
    return values;
  });
}

async function check(
  url: string,
  variant: Variant,
  expected: Map<string, string>,
): Promise<boolean> {
  const rows = await makeExport(url, variant, (done) => progress(`${variant}: ${done}`));
  const file = path.join(folder, `${variant}.ndjson`);
  const { body } = await fetchExport(url, variant);
  await pipeline(Readable.fromWeb(body), createWriteStream(file));
  const served = await fetch(`${url}/export/schema?${variant}=1`);
  const loaded = await loadExport(file, (await served.json()) as SchemaField[]);
  let right = (await loaded.value('SELECT count(*) FROM export')) === String(rows);
  for (const { what, duckdb } of expectations.filter((one) => one.variant === variant)) {
    const wanted = expected.get(`${variant} ${what}`);
    const found = await loaded.value(duckdb);
    right &&= found === wanted;
    console.log(
      `  ${found === wanted ? '✓' : '✗'} ${what}: ${found}${found === wanted ? '' : `, not ${wanted}`}`,
    );
  }
  loaded.close();
  return right;
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
