/** A local state folder: D1, R2, and the storage of objects, among them the sandbox acquirer's ledger. */
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { factsOf, requireSame } from './facts.ts';
import { type BackedUp, emptyFolder, readManifest, writeManifest } from './manifest.ts';

/** Where wrangler keeps state, and D1 in it. */
const STATE = 'v3';
const D1 = path.join(STATE, 'd1', 'miniflare-D1DatabaseObject');

/**
 * Backs up a state folder. D1 is taken first: where a service runs on the folder, objects and the sandbox's ledger may know
 * what came afterwards, as after a deployment's restore.
 */
export async function backUpState(persistTo: string, folder: string): Promise<void> {
  if (!existsSync(path.join(persistTo, D1))) throw new Error(`${persistTo} has no state.`);
  emptyFolder(folder);
  const takenAt = new Date().toISOString();
  await copy(path.join(persistTo, D1), path.join(folder, D1));
  await copy(path.join(persistTo, STATE), path.join(folder, STATE));
  const databases = databasesIn(folder);
  writeManifest(folder, { kind: 'local', takenAt, databases, objects: [] });
}

/** Makes a state folder from a backup of one, and checks it. */
export async function restoreState(folder: string, persistTo: string): Promise<void> {
  const { databases } = readManifest(folder);
  emptyFolder(persistTo);
  await copy(path.join(folder, STATE), path.join(persistTo, STATE));
  const found = new Map(databasesIn(persistTo).map(({ name, facts }) => [name, facts]));
  for (const { name, facts } of databases) {
    requireSame(name, facts, found.get(name) ?? { schema: {}, tables: {} });
  }
}

/** Copies what is not there yet, a database as it is between two transactions, whoever writes to it. */
async function copy(from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copy(source, target);
    else if (/-(?:wal|shm)$/.test(entry.name) || existsSync(target)) continue;
    else if (entry.name.endsWith('.sqlite')) await copyDatabase(source, target);
    else cpSync(source, target);
  }
}

async function copyDatabase(source: string, target: string): Promise<void> {
  const db = new DatabaseSync(source, { readOnly: true });
  try {
    await backup(db, target);
  } finally {
    db.close();
  }
}

function databasesIn(folder: string): BackedUp[] {
  return readdirSync(path.join(folder, D1))
    .filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
    .map((name) => {
      const db = new DatabaseSync(path.join(folder, D1, name), { readOnly: true });
      try {
        return { name, file: path.join(D1, name), facts: factsOf(db) };
      } finally {
        db.close();
      }
    });
}
