/** Brings a local state folder up to date: migrations, then seeds. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import {
  importWrangler,
  root,
  wranglerBin,
  wranglerConfig,
  wranglerEnvironment,
} from './environment.ts';
import { seed } from './seed.ts';

/** Applies the migrations that a state folder lacks. Throws with wrangler's own words when one fails. */
export async function applyMigrations(persistTo: string): Promise<void> {
  const migrate = [
    'd1',
    'migrations',
    'apply',
    'DB',
    '--local',
    '--env=',
    '--persist-to',
    persistTo,
  ];
  const child = spawn(process.execPath, [wranglerBin, ...migrate], {
    cwd: root,
    env: { ...wranglerEnvironment(), CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`The migrations could not be applied:\n${output}`);
}

/** Puts the seeds into a state folder where they are missing. */
export async function applySeeds(persistTo: string): Promise<void> {
  await withDatabase(persistTo, (d1) => seed(d1, localKeyring(), Date.now()));
}

/** Opens the database of a state folder that no service is using, for as long as `work` takes. */
export async function withDatabase<T>(
  persistTo: string,
  work: (d1: D1Database) => Promise<T>,
): Promise<T> {
  const { getPlatformProxy } = await importWrangler();
  const proxy = await getPlatformProxy<{ DB: D1Database }>({
    configPath: await databaseOnlyConfig(),
    persist: { path: path.join(persistTo, 'v3') },
    remoteBindings: false,
  });
  try {
    return await work(proxy.env.DB);
  } finally {
    await proxy.dispose();
  }
}

/** A configuration with the database alone: seeding needs no Durable Objects, and warns where they are named. */
async function databaseOnlyConfig(): Promise<string> {
  const { d1_databases, compatibility_date } = await wranglerConfig();
  const file = path.join(root, '.wrangler', 'seed.json');
  writeFileSync(file, JSON.stringify({ name: 'seed', compatibility_date, d1_databases }));
  return file;
}

function localKeyring(): string {
  const values = parseEnv(readFileSync(path.join(root, '.dev.vars'), 'utf8'));
  if (!values['KEYRING']) throw new Error('.dev.vars holds no KEYRING');
  return values['KEYRING'];
}
