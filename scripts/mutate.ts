/**
 * `npm run mutate [-- --mutate src/core/money.ts]`: changes the pure rules in small ways, one at a time, and counts which
 * changes no test notices. The report is `.wrangler/mutation/report.html`. Stryker is fetched when asked for, into a folder of its own: it
 * would be the half of all that this project installs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './environment.ts';

const VERSION = '10.1.1';

const folder = path.join(root, '.wrangler/mutation');
const stryker = path.join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');

if (!existsSync(stryker)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  // Without its peers, which are the project's own.
  run('npm', ['install', '--legacy-peer-deps', ...packages], folder);
}
run(process.execPath, [stryker, 'run', 'stryker.config.json', ...process.argv.slice(2)], root);

/** Runs a program to its end; this one ends with it when it fails. */
function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
