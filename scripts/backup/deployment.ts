/** A deployment: D1 and R2 by wrangler. What Durable Objects hold follows from D1 (operate: Backup and restore). */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Wrangler } from '../wrangler.ts';
import {
  type Facts,
  factsFrom,
  factsOf,
  factsQueries,
  OURS,
  type Rows,
  requireSame,
} from './facts.ts';
import {
  type BackedUp,
  emptyFolder,
  type Manifest,
  readManifest,
  writeManifest,
} from './manifest.ts';
import { loadExport, orderedStatements } from './ordered.ts';
import { type Administered, type Housed, whileInD1 } from './stores.ts';

export interface Deployment {
  readonly wrangler: Wrangler;
  /** `--local` for tests of this. */
  readonly place: '--remote' | '--local';
  /** D1's bindings, the directory first. */
  readonly bindings: readonly string[];
  readonly bucket: string;
  /** Receives a line for each step. */
  readonly progress: (line: string) => void;
  /** The running service, where properties live in objects: only it can move them. */
  readonly service: Administered | null;
}

/** D1 takes statements of up to 100 kB. */
const LONGEST_STATEMENT = 100_000;

/** Backs up a deployment into an empty folder. Properties that live in objects are moved into D1 meanwhile. */
export async function backUpDeployment(from: Deployment, folder: string): Promise<void> {
  emptyFolder(folder);
  const { bindings, progress, service } = from;
  const [homes = []] = await asked(from, bindings[0] ?? '', [HOMES]);
  const stranded = strandedOf(homes, bindings);
  const act = () => backUpD1(from, folder);
  if (stranded.length === 0) return act();
  if (service) return whileInD1(service, stranded, bindings, { act, progress });
  const which = stranded.map(({ home, property }) => `${property} lives in ${home}`).join(', ');
  throw new Error(
    `${which}, which D1 does not export. Give --service <its address>, ADMIN_ID and ADMIN_SECRET to have them moved meanwhile.`,
  );
}

const HOMES = 'SELECT property_id AS property, "database" AS home FROM homes';

/** The properties that live in none of the databases of D1. */
function strandedOf(homes: Rows, bindings: readonly string[]): Housed[] {
  return homes
    .map(({ home, property }) => ({ home: String(home), property: String(property) }))
    .filter(({ home }) => !bindings.includes(home));
}

/** How often D1 is exported at most, because archived bookings came back meanwhile. */
const MOST_EXPORTS = 5;

async function backUpD1(from: Deployment, folder: string): Promise<void> {
  const takenAt = new Date().toISOString();
  mkdirSync(path.join(folder, 'r2'));
  const read = new Map<string, string>();
  for (let exports = 0; exports < MOST_EXPORTS; exports += 1) {
    const { archived, databases, keys } = await exportAll(from, folder);
    const gone = await readObjects(from, keys, folder, read);
    if (gone.some((key) => archived.has(key))) {
      from.progress('A booking came back from the archive meanwhile');
      continue;
    }
    const objects = keptOf(read, keys, folder);
    writeManifest(folder, { kind: 'deployment', takenAt, databases, objects });
    return;
  }
  throw new Error('Bookings came back from the archive each time. Back up at a quiet hour.');
}

interface Exported {
  readonly databases: readonly BackedUp[];
  /** All objects of R2 that D1 names. */
  readonly keys: ReadonlySet<string>;
  /** Those that hold archived bookings, of which D1 has nothing else. */
  readonly archived: ReadonlySet<string>;
}

async function exportAll(from: Deployment, folder: string): Promise<Exported> {
  const databases: BackedUp[] = [];
  const keys = new Set<string>();
  const archived = new Set<string>();
  for (const binding of from.bindings) {
    from.progress(`Exporting ${binding}`);
    const db = await exported(from, binding, folder);
    try {
      const [moved] = strandedOf(db.prepare(HOMES).all(), from.bindings);
      if (moved) throw new Error(`${moved.property} has moved to ${moved.home} meanwhile.`);
      databases.push({ name: binding, file: fileOf(binding), facts: factsOf(db) });
      for (const key of objectKeys(db)) keys.add(key);
      for (const row of db.prepare(ARCHIVED).all()) archived.add(String(row['object_key']));
      for (const statement of orderedStatements(db)) {
        if (Buffer.byteLength(statement) <= LONGEST_STATEMENT) continue;
        from.progress(`D1 will not take this row back: ${statement.slice(0, 200)}`);
      }
    } finally {
      db.close();
    }
  }
  return { archived, databases, keys };
}

const ARCHIVED = "SELECT object_key FROM archived_bookings WHERE state = 'archived'";

/**
 * Copies those objects of R2 into the backup's folder that were not read yet, and adds them to `read`: their keys, and their
 * files. Returns those that are gone: they were deleted since D1 was exported.
 */
async function readObjects(
  from: Deployment,
  keys: ReadonlySet<string>,
  folder: string,
  read: Map<string, string>,
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const key of keys) {
    if (read.has(key)) continue;
    const file = path.join('r2', String(read.size));
    from.progress(`Reading ${key}`);
    const to = ['--file', path.join(folder, file), '--env', 'production'];
    const { ok, output } = await from.wrangler.run(...r2(from, 'get', key), ...to);
    if (ok) read.set(key, file);
    else if (/does not exist/.test(output)) gone.push(key);
    else throw new Error(output);
  }
  return gone;
}

/** The objects that were read and that D1 still names. Others may hold guests who were erased: they go. */
function keptOf(
  read: ReadonlyMap<string, string>,
  keys: ReadonlySet<string>,
  folder: string,
): Manifest['objects'] {
  return [...read].flatMap(([key, file]) => {
    if (keys.has(key)) return { key, file };
    rmSync(path.join(folder, file));
    return [];
  });
}

const fileOf = (binding: string) => `${binding}.sqlite`;

/** Exports a database into a file of the backup. */
async function exported(from: Deployment, binding: string, folder: string): Promise<DatabaseSync> {
  const [schema = '', rows = ''] = ['schema', 'rows'].map((what) =>
    path.join(folder, `${binding}.${what}.sql`),
  );
  const export_ = ['d1', 'export', binding, from.place, '--skip-confirmation', '--output'];
  try {
    await must(from, ...export_, schema, '--no-data');
    await must(from, ...export_, rows, '--no-schema');
    const target = path.join(folder, fileOf(binding));
    // That of an earlier export.
    rmSync(target, { force: true });
    return await loadExport(schema, rows, target, (queries) => asked(from, binding, queries));
  } finally {
    for (const file of [schema, rows]) rmSync(file, { force: true });
  }
}

/** The objects of R2 that a database names. */
function objectKeys(db: DatabaseSync): string[] {
  const tables = db
    .prepare(
      "SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND c.name = 'object_key'",
    )
    .all();
  return tables.flatMap(({ name }) =>
    db
      .prepare(`SELECT DISTINCT object_key FROM "${String(name)}" WHERE object_key <> ''`)
      .all()
      .map((row) => String(row['object_key'])),
  );
}

/** Fills the empty databases and the bucket of a deployment from a backup, and checks them. */
export async function restoreDeployment(to: Deployment, folder: string): Promise<void> {
  const { databases, kind, objects } = readManifest(folder);
  if (kind !== 'deployment') throw new Error(`${folder} is the backup of a local state.`);
  const missing = databases.find(({ name }) => !to.bindings.includes(name));
  if (missing) throw new Error(`wrangler.toml has no binding ${missing.name}.`);
  for (const { name } of databases) await requireEmpty(to, name);
  for (const one of databases) await fill(to, one, folder);
  for (const { file, key } of objects) {
    to.progress(`Writing ${key}`);
    const type = key.endsWith('.gz') ? 'application/gzip' : 'application/x-ndjson';
    const content = ['--content-type', type, '--file', path.join(folder, file)];
    await must(to, ...r2(to, 'put', key), ...content);
  }
}

async function requireEmpty(to: Deployment, binding: string): Promise<void> {
  const [rows = []] = await asked(to, binding, [
    `SELECT count(*) AS n FROM sqlite_schema WHERE ${OURS}`,
  ]);
  if (rows[0]?.['n'] === 0) return;
  throw new Error(`${binding} is not empty. Restore into a new database.`);
}

async function fill(to: Deployment, { facts, file, name }: BackedUp, folder: string) {
  to.progress(`Filling ${name}`);
  const db = new DatabaseSync(path.join(folder, file), { readOnly: true });
  const sql = path.join(folder, `${name}.sql`);
  try {
    const out = openSync(sql, 'w');
    for (const statement of orderedStatements(db)) writeSync(out, `${statement};\n`);
    closeSync(out);
    await must(to, 'd1', 'execute', name, to.place, '--yes', '--file', sql);
  } finally {
    db.close();
    rmSync(sql, { force: true });
  }
  requireSame(name, facts, await factsThere(to, name, facts));
}

/** The facts of a database, of the tables and columns that the backup has. */
async function factsThere(to: Deployment, binding: string, { tables }: Facts): Promise<Facts> {
  const columns = Object.entries(tables).flatMap(([table, figures]) =>
    Object.keys(figures).map((column) => ({ table, column })),
  );
  return factsFrom(await asked(to, binding, factsQueries(columns)));
}

/** Asks D1, and returns the rows of each query. */
async function asked(to: Deployment, binding: string, queries: readonly string[]): Promise<Rows[]> {
  if (queries.length === 0) return [];
  const command = ['--json', '--command', queries.join(';\n')];
  const { stdout } = await must(to, 'd1', 'execute', binding, to.place, '--yes', ...command);
  const answers = JSON.parse(stdout) as readonly { readonly results: Rows }[];
  return answers.map(({ results }) => results);
}

const r2 = ({ bucket, place }: Deployment, what: 'get' | 'put', key: string) => [
  'r2',
  'object',
  what,
  `${bucket}/${key}`,
  place,
];

async function must({ wrangler }: Deployment, ...args: string[]) {
  const ran = await wrangler.run(...args, '--env', 'production');
  if (!ran.ok) throw new Error(ran.output);
  return ran;
}
