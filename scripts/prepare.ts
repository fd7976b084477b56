/** Brings a local state folder up to date: migrations, then seeds. */
import path from 'node:path';
import { devVars, furtherDatabases, importWrangler, root, wranglerConfig } from './environment.ts';
import { migrate } from './migrate.ts';
import { seed } from './seed.ts';
import { writeChanged } from './writeChanged.ts';

/** Migrates and seeds a state folder, where needed. */
export async function prepareState(persistTo: string): Promise<void> {
  await withDatabases(persistTo, async ([first, ...further]) => {
    for (const d1 of [first, ...further]) await migrate(d1);
    await seed(first, localKeyring(), Date.now());
  });
}

/** Opens the first database of a state folder for `work`. No service may be running on the folder. */
export function withDatabase<T>(
  persistTo: string,
  work: (d1: D1Database) => Promise<T>,
): Promise<T> {
  return withDatabases(persistTo, ([first]) => work(first));
}

type Databases = readonly [D1Database, ...D1Database[]];

/** Opens all databases of a state folder for `work`, the directory first. */
export async function withDatabases<T>(
  persistTo: string,
  work: (all: Databases) => Promise<T>,
): Promise<T> {
  const { getPlatformProxy } = await importWrangler();
  const proxy = await getPlatformProxy<{
    DB: D1Database;
    [further: `DB${number}`]: D1Database;
  }>({
    configPath: await databaseOnlyConfig(),
    persist: { path: path.join(persistTo, 'v3') },
    remoteBindings: false,
  });
  try {
    const further = furtherDatabases().flatMap(
      ({ binding }) => proxy.env[binding as `DB${number}`] ?? [],
    );
    return await work([proxy.env.DB, ...further]);
  } finally {
    await proxy.dispose();
  }
}

/**
 * Writes a configuration with the databases only: wrangler would warn about Durable Objects. Starts beside each other may
 * have other numbers of databases: each number has a file.
 */
async function databaseOnlyConfig(): Promise<string> {
  const { d1_databases: own, compatibility_date } = await wranglerConfig();
  const d1_databases = [...own, ...furtherDatabases()];
  const file = path.join(root, '.wrangler', `seed-${d1_databases.length}.json`);
  writeChanged(file, JSON.stringify({ name: 'seed', compatibility_date, d1_databases }));
  return file;
}

function localKeyring(): string {
  const { KEYRING: keyring } = devVars();
  if (!keyring) throw new Error('.dev.vars has no KEYRING');
  return keyring;
}
