/** Whether a build is made again: its files' digest says so. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, SOURCES } from '../../scripts/buildFiles.ts';
import { root } from '../../scripts/environment.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'digest-'));
  write('src/rooms/one.ts', 'one');
  write('src/two.ts', 'two');
  write('lock.json', '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const digest = () => digestOf(folder, ['{src,more}/**/*', 'lock.json']);

describe('the sources of a build', () => {
  it.each(['src/index.ts', 'scripts/document/document.ts'])(
    'are all that %s imports',
    async (entry) => {
      const { metafile } = await esbuild.build({
        entryPoints: [entry],
        absWorkingDir: root,
        outdir: 'dist',
        bundle: true,
        packages: 'external',
        external: ['cloudflare:workers'],
        loader: { '.sql': 'text' },
        write: false,
        metafile: true,
        format: 'esm',
      });
      const imported = Object.keys(metafile.inputs);
      expect(imported.length).toBeGreaterThan(100);
      const isSource = (file: string) => SOURCES.some((pattern) => path.matchesGlob(file, pattern));
      expect(imported.filter((file) => !isSource(file))).toEqual([]);
    },
  );
});

describe('the digest of a build’s files', () => {
  it.each<[string, () => void]>([
    ['a file says something else', () => write('src/rooms/one.ts', 'other')],
    ['the lock file does', () => write('lock.json', '{"a":1}')],
    ['a file is new', () => write('more/three.ts', '')],
    ['a file is gone', () => rmSync(path.join(folder, 'src/two.ts'))],
    [
      'a file has another name',
      () => renameSync(path.join(folder, 'src/two.ts'), path.join(folder, 'src/too.ts')),
    ],
  ])('is another one where %s', (_what, change) => {
    const before = digest();
    change();
    expect(digest()).not.toBe(before);
  });

  it.each<[string, () => void]>([
    ['nothing changes', () => undefined],
    ['a file says the same again', () => write('src/two.ts', 'two')],
    ['another process is about to write', () => write('src/two.ts.4711', 'three')],
    ['a folder has packages', () => write('src/node_modules/a/index.js', '')],
    ['something else changes', () => write('others/three.ts', 'three')],
  ])('is the same where %s', (_what, change) => {
    const before = digest();
    change();
    expect(digest()).toBe(before);
  });
});
