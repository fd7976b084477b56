/** Brings a local state folder up to date: migrations, then seeds. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { devVars, importWrangler, root, wranglerConfig } from './environment.ts';
import { migrate } from './migrate.ts';
import { seed } from './seed.ts';

/** Migrates and seeds a state folder, where needed. */
export async function prepareState(persistTo: string): Promise<void> {
  await withDatabase(persistTo, async (d1) => {
    await migrate(d1);
    await seed(d1, localKeyring(), Date.now());
  });
}

/** Opens the database of a state folder for `work`. No service may be running on the folder. */
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

/** Writes a configuration with the database only: wrangler would warn about Durable Objects. */
async function databaseOnlyConfig(): Promise<string> {
  const { d1_databases, compatibility_date } = await wranglerConfig();
  const file = path.join(root, '.wrangler', 'seed.json');
  writeFileSync(file, JSON.stringify({ name: 'seed', compatibility_date, d1_databases }));
  return file;
}

function localKeyring(): string {
  const { KEYRING: keyring } = devVars();
  if (!keyring) throw new Error('.dev.vars has no KEYRING');
  return keyring;
}
