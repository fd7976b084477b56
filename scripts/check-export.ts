/**
 * `npm run check:export`: fills a database, plays payments, makes the daily files, loads them into DuckDB by the service's
 * schema, and compares counts and sums with D1. Exits with 1 when any differs.
 */
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fetchExport, makeExport } from './checkExport/client.ts';
import type { SchemaField } from './checkExport/duckdbTypes.ts';
import { expectations, type Variant } from './checkExport/expectations.ts';
import { loadExport } from './checkExport/load.ts';
import { playPayments } from './checkExport/payments.ts';
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

const variants: readonly Variant[] = ['propertySystem', 'applicationConsole', 'ledger'];

try {
  progress(`Filling a database with ${CUSTOMERS} customers`);
  await fill();
  const schemas = await makeFiles();
  progress('Comparing with D1');
  const expected = await readExpected();
  for (const variant of variants) {
    if (!(await check(variant, schemas.get(variant) ?? [], expected))) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  await prepareState(persistTo);
  const data = { property: seeded.property, currency: 'AUD', customers: CUSTOMERS };
  await withDatabase(persistTo, (d1) => fillExportData(d1, data));
}

/** Plays payments, makes the files and fetches them with their schemas. */
async function makeFiles(): Promise<Map<Variant, SchemaField[]>> {
  progress('Starting the service');
  const service = await startService({ port: await freePort(), persistTo, crons: false });
  const schemas = new Map<Variant, SchemaField[]>();
  try {
    progress('Playing payments');
    await playPayments(service.url);
    for (const variant of variants) {
      const rows = await makeExport(service.url, variant, (done) =>
        progress(`${variant}: ${done}`),
      );
      if (rows === 0) throw new Error(`the file of ${variant} is empty`);
      const { body } = await fetchExport(service.url, variant);
      await pipeline(Readable.fromWeb(body), createWriteStream(fileOf(variant)));
      const served = await fetch(`${service.url}/export/schema?${variant}=1`);
      schemas.set(variant, (await served.json()) as SchemaField[]);
    }
  } finally {
    await service.stop();
  }
  return schemas;
}

function fileOf(variant: Variant): string {
  return path.join(folder, `${variant}-1.ndjson`);
}

/** Computes the expected values in the database. */
function readExpected(): Promise<Map<string, string>> {
  return withDatabase(persistTo, async (d1) => {
    const values = new Map<string, string>();
    for (const { variant, what, d1: query } of expectations) {
      const row = await d1.prepare(`SELECT (${query}) AS value`).bind(seeded.property).first();
      values.set(`${variant} ${what}`, String(row?.['value']));
    }
    const documented = await d1
      .prepare("SELECT sum(net_minor) AS value FROM disbursements WHERE status = 'paid_out'")
      .first<number>('value');
    values.set('documented', ((documented ?? 0) / 100).toFixed(3));
    return values;
  });
}

async function check(
  variant: Variant,
  schema: readonly SchemaField[],
  expected: Map<string, string>,
): Promise<boolean> {
  const loaded = await loadExport(fileOf(variant), schema);
  let right = true;
  const compare = (what: string, found: string, wanted: string | undefined) => {
    const isSame = found === wanted;
    right &&= isSame;
    console.log(`  ${isSame ? '✓' : '✗'} ${what}: ${found}${isSame ? '' : `, not ${wanted}`}`);
  };
  for (const { what, duckdb } of expectations.filter((one) => one.variant === variant)) {
    compare(what, await loaded.value(duckdb), expected.get(`${variant} ${what}`));
  }
  if (variant === 'ledger') {
    const bank = await loaded.value(`SELECT sum(bank) FROM (${documentedQuery()})`);
    compare('what the bank got, by the query of the documents', bank, expected.get('documented'));
  }
  loaded.close();
  return right;
}

/** The query of docs/exports.md about a month of the books, over the file here. */
function documentedQuery(): string {
  const page = readFileSync(path.join(root, 'docs/exports.md'), 'utf8');
  const [, query = ''] = /```sql\n(WITH postings[\s\S]*?);\n```/.exec(page) ?? [];
  return query.replace('ledger-*.ndjson', path.join(folder, 'ledger-*.ndjson'));
}

function progress(line: string): void {
  console.log(`› ${line}`);
}
