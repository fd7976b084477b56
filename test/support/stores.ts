/** Everything that the service stores, as one text: D1, the objects' storage, R2. */
import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { gunzipSync } from 'node:zlib';
import { unpacked } from '../../src/core/packed.ts';
import { answerOf, type IdempotencyRow } from '../../src/operation/idempotencyStore.ts';
import { payloadOf } from '../../src/pms/outbox/payloads.ts';
import { type Kept, snapshotOf } from '../../src/records/history/rules/snapshots.ts';
import type { OutboxRow } from '../../src/schema/outboxTables.ts';
import { testEnv } from './api.ts';

/** The text of every store. Bytes that the service packs or compresses are unpacked, for search. */
export async function everyStore(): Promise<string> {
  const parts = [await everyRow(), await everyObject(), await everyFile()];
  return parts.join('\n').replaceAll('\\"', '"');
}

async function everyRow(): Promise<string> {
  const { results: tables } = await testEnv.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite_*'",
  ).all<{ name: string }>();
  const all = await Promise.all(
    tables.map(async ({ name }) => {
      const { results } = await testEnv.DB.prepare(`SELECT * FROM "${name}"`).all();
      return results.map((row) => `${name} ${readable(name, row)}`).join('\n');
    }),
  );
  return all.join('\n');
}

type Row = Record<string, unknown>;

/** What reads the bytes that a table packs, by the table. */
const READERS: Readonly<Record<string, (row: Row, bytes: Uint8Array) => unknown>> = {
  history: (row, bytes) =>
    row['snapshot'] === null ? null : snapshotOf({ ...camel(row), snapshot: bytes } as Kept),
  idempotency_keys: (row, bytes) =>
    answerOf({ ...camel(row), answer: bytes } as unknown as IdempotencyRow),
  ledger_reports: (row, bytes) => unpacked(bytes, [row['id']]),
  outbox: (row, bytes) => payloadOf({ ...camel(row), payload: bytes } as unknown as OutboxRow),
};

/** A row with its bytes read, but for the salt of an event, which is nothing but chance. */
function readable(table: string, row: Row): string {
  const shown = Object.entries(row).map(([name, value]) => {
    if (!Array.isArray(value) || name === 'event_salt') return [name, value];
    const read = READERS[table];
    if (!read) throw new Error(`nothing reads the bytes of ${table}.${name}`);
    return [name, read(row, Uint8Array.from(value as number[]))];
  });
  return JSON.stringify(Object.fromEntries(shown));
}

/** A row of SQL by the names of TypeScript. */
function camel(row: Row): Row {
  const named = Object.entries(row).map(([name, value]) => [
    name.replaceAll(/_(?<letter>[a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(named);
}

async function everyObject(): Promise<string> {
  const kinds = [
    testEnv.BOOKINGS,
    testEnv.SANDBOX_GATEWAY,
    testEnv.EXPORTER,
    testEnv.PMS_DISPATCHER,
    testEnv.EVENT_DISPATCHER,
    testEnv.MAILER,
    testEnv.CLOCKS,
  ] as unknown as DurableObjectNamespace[];
  const texts: string[] = [];
  for (const kind of kinds) {
    for (const id of await listDurableObjectIds(kind)) {
      texts.push(await runInDurableObject(kind.get(id), (_object, { storage }) => dumpOf(storage)));
    }
  }
  return texts.join('\n');
}

async function dumpOf(storage: DurableObjectStorage): Promise<string> {
  return JSON.stringify([everyRowOf(storage), [...(await storage.list())]]);
}

/** The rows of each table that an object keeps in SQLite. */
export function everyRowOf(storage: DurableObjectStorage): unknown[][] {
  const tables = storage.sql
    .exec(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .toArray();
  return tables.map(({ name }) => storage.sql.exec(`SELECT * FROM "${name as string}"`).toArray());
}

/** The whole text of every file, and what it is called. */
async function everyFile(): Promise<string> {
  const objects: R2Object[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await testEnv.EXPORTS.list(cursor ? { cursor } : {});
    objects.push(...page.objects);
    cursor = page.truncated ? page.cursor : null;
  }
  const texts = await Promise.all(
    objects.map(async ({ key }) => {
      const file = await testEnv.EXPORTS.get(key);
      const bytes = new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer(0));
      const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
      return `${key} ${new TextDecoder().decode(isGzip ? gunzipSync(bytes) : bytes)}`;
    }),
  );
  return texts.join('\n');
}
