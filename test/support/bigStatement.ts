/**
 * Run in a thread of little memory: imports the largest statement, with a database that keeps nothing, and says what became
 * of it. The thread dies where that takes more memory than it has.
 */
import { parentPort } from 'node:worker_threads';
import { importStatement } from '../../src/disbursements/bank/importStatement.ts';
import { MOST_LINES } from '../../src/disbursements/bank/rules/lines.ts';
import type { Database } from '../../src/platform/db/database.ts';

/** A line of about 80 bytes: all of them are as much as a request may have. */
const lineOf = (at: number) =>
  `2027-0${1 + (at % 9)}-${10 + (at % 18)};${at + 1}.${10 + (at % 90)};Guest payment no. ${at}, thank you for your stay, ref ${at}`;

const text = `Date;Amount;Text\n${Array.from({ length: MOST_LINES }, (_, at) => lineOf(at)).join('\n')}`;

interface Query {
  toSQL(): { readonly params: readonly unknown[] };
}

/** Makes each round trip's statements, as the real one does, and answers nothing. */
const database = {
  batch: async (_name: string, queries: readonly Query[]) =>
    queries.map((query) => query.toSQL().params.slice(0, 0)),
};

const imported = await importStatement(
  {
    database: database as unknown as Database,
    property: { id: 'hotel', currency: 'AUD', timeZone: 'Australia/Perth' },
    nowMs: 0,
    by: { clientId: 'c', nowMs: 0 },
  },
  { format: 'csv', text, csv: { date: 'Date', amount: 'Amount', description: 'Text' } },
);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
parentPort?.postMessage({ imported, bytes: text.length });
