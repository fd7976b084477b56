/**
 * `npm run mutate [-- --mutate src/core/money.ts]`: makes small changes to the pure rules, one at a time, and counts
 * those that no test notices. Writes `.wrangler/mutation/report.html`. Installs Stryker on first use, into its own
 * folder: as a dependency it would double the size of the project's packages.
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
  // Without peer dependencies: the project has them.
  run('npm', ['install', '--legacy-peer-deps', ...packages], folder);
}
run(process.execPath, [stryker, 'run', 'stryker.config.json', ...process.argv.slice(2)], root);

/** Runs a program to its end. Exits when the program fails. */
function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
