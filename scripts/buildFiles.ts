import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { copyAssets } from './assets.ts';
import { bundleWorker } from './bundleWorker.ts';
import { root } from './environment.ts';
import { trimLibraries } from './trimLibraries.ts';
import { writeChanged } from './writeChanged.ts';

/** All that the files of a build are made of. The lock file names the versions of packages. */
export const SOURCES = [
  '{src,scripts,locales,examples,migrations}/**/*',
  'package-lock.json',
  'tsconfig.json',
];

/** What a build makes. */
const MADE = [
  'public/**/*',
  'dist/libraries/*',
  'dist/worker/index.js',
  'dist/worker/index.js.map',
];

const stamp = path.join(root, 'dist/built.sha256');

/**
 * Makes what wrangler serves and bundles: the files in `public`, the trimmed libraries and the Worker's bundle. What is there
 * already, made of the same sources, stays: to make it takes seconds.
 */
export async function buildFiles(): Promise<void> {
  const sources = digestOf(root, SOURCES);
  const built = () => `${sources} ${digestOf(root, MADE)}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === built()) return;
  await Promise.all([copyAssets(), trimLibraries(), bundleWorker()]);
  writeChanged(stamp, built());
}

/** A digest of a folder's files that fit patterns: of their names, and of what is in them. */
export function digestOf(folder: string, patterns: readonly string[]): string {
  const found = globSync(patterns, {
    cwd: folder,
    withFileTypes: true,
    // A number at the end: another process is about to write the file.
    exclude: ({ name }) => name === 'node_modules' || /\.\d+$/.test(name),
  });
  const files = found.filter((one) => one.isFile());
  const paths = files.map(({ name, parentPath }) => path.join(parentPath, name)).toSorted();
  const digest = createHash('sha256');
  for (const file of paths) {
    digest.update(`\0${path.relative(folder, file)}\0`).update(readFileSync(file));
  }
  return digest.digest('hex');
}
