/** Brings a local state folder up to date: migrations, then seeds. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { importWrangler, root, wranglerConfig } from './environment.ts';
import { migrate } from './migrate.ts';
import { seed } from './seed.ts';

/** Migrates and seeds a state folder, as far as either is missing. */
export async function prepareState(persistTo: string): Promise<void> {
  await withDatabase(persistTo, async (d1) => {
    await migrate(d1);
    await seed(d1, localKeyring(), Date.now());
  });
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
