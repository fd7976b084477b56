import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Facts } from './facts.ts';

/** What is in a backup's folder. It is written last: a folder without it is no backup. */
export interface Manifest {
  /** `local`: a whole state folder. `deployment`: D1 as files of SQLite, and the objects of R2 that D1 names. */
  readonly kind: 'local' | 'deployment';
  /** When it was begun, in UTC. */
  readonly takenAt: string;
  readonly databases: readonly BackedUp[];
  /** Objects of R2, of a deployment. */
  readonly objects: readonly { readonly key: string; readonly file: string }[];
}

export interface BackedUp {
  /** A binding, such as `DB2`, or a local file's name. */
  readonly name: string;
  /** Inside the backup's folder. */
  readonly file: string;
  readonly facts: Facts;
}

const fileIn = (folder: string) => path.join(folder, 'backup.json');

/** Reads what a folder holds. */
export function readManifest(folder: string): Manifest {
  if (!existsSync(fileIn(folder)))
    throw new Error(`${folder} is no backup: it has no backup.json.`);
  return JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Manifest;
}

/** Ends a backup. */
export function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(fileIn(folder), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Makes a folder, which may be there if nothing is in it. */
export function emptyFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  return folder;
}
