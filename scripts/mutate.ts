/**
 * `npm run mutate [-- src/core/money.ts …]`: makes small changes to the pure rules, or to the given files, one at a time,
 * and counts those that the rules' tests notice. Writes those that none notices to `.wrangler/mutation/unnoticed.txt`.
 * Fetches Stryker's instrumenter on first use, into its own folder: it would double the size of the project's packages.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { root } from './environment.ts';
import { PURE_RULES, writeChanges } from './mutation/changes.ts';
import { OUTCOMES_FILE, readOutcomes } from './mutation/outcomes.ts';
import { summary, unnoticed } from './mutation/report.ts';

const INSTRUMENTER = '@stryker-mutator/instrumenter';
const VERSION = '10.1.1';

/** All changes take some six minutes. */
const LONGEST_MS = 60 * 60_000;

const folder = path.join(root, '.wrangler/mutation');
const library = path.join(folder, 'node_modules', INSTRUMENTER, 'dist/src/index.js');
const sandbox = path.join(folder, 'sandbox');

if (!existsSync(library)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  run('npm', ['install', `${INSTRUMENTER}@${VERSION}`], folder);
}

copyProject();
const given = process.argv.slice(2);
const changes = await writeChanges(sandbox, given.length > 0 ? given : PURE_RULES, library);
console.log(`${changes.length} changes`);
if (changes.length === 0) process.exit(1);
const changed = new Set(changes.map(({ fileName }) => fileName));
const tests = ['--run', '--config', 'test/rules/vitest.config.ts'];
run('npx', ['vitest', 'related', ...changed, ...tests], sandbox);

const outcomes = readOutcomes(readFileSync(path.join(sandbox, OUTCOMES_FILE), 'utf8'));
const report = path.join(folder, 'unnoticed.txt');
writeFileSync(report, unnoticed(changes, outcomes));
console.log(
  `\n${summary(changes, outcomes)}\n\nThose that no test noticed: ${path.relative(root, report)}`,
);

/** Copies what git knows of, so that the changes stay out of the project's own files. */
function copyProject(): void {
  rmSync(sandbox, { recursive: true, force: true });
  mkdirSync(sandbox, { recursive: true });
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const name of names) {
    const from = path.join(root, name);
    if (name !== '' && existsSync(from)) cpSync(from, path.join(sandbox, name));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(sandbox, 'node_modules'));
}

/** Runs a program to its end. Exits when the program fails. */
function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', timeout: LONGEST_MS });
  if (status !== 0) process.exit(status ?? 1);
}
