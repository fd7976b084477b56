/** The settings of production in a wrangler.toml, read as wrangler reads them and written by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { importWrangler } from '../environment.ts';
import { missingSettings, NO_DATABASE, type Production } from '../production.ts';
import { SetupStop } from './stop.ts';
import { type Table, withSetting } from './wranglerToml.ts';

/** What the file says of production. */
export interface Settings {
  readonly accountId: string | undefined;
  /** The names of all databases' bindings. */
  readonly bindings: readonly string[];
  readonly databaseName: string;
  /** Null while it is the placeholder. */
  readonly databaseId: string | null;
  readonly bucketName: string;
  /** Where people reach the service: `https://` and a host. Null while it is not set. */
  readonly publicAddress: string | null;
  readonly gateway: string | null;
  /** Whether a domain is set, or Cloudflare's own. */
  readonly isReachable: boolean;
  readonly missing: readonly string[];
}

/** A new value for one setting. */
export interface Change {
  readonly table: Table;
  readonly key: string;
  readonly value: string | boolean;
}

/** The parts of production that the set-up reads, as wrangler reads them. */
interface ProductionConfig extends Production {
  readonly account_id?: string | undefined;
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_name?: string;
    readonly database_id?: string;
  }[];
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name?: string }[];
}

/** Reads the settings. Throws {@link SetupStop} if the file lacks the database or the bucket. */
export async function readSettings(config: string): Promise<Settings> {
  const { unstable_readConfig } = await importWrangler();
  const production: ProductionConfig = unstable_readConfig({ config, env: 'production' });
  const { d1_databases: databases, r2_buckets: buckets, routes = [], vars } = production;
  const database = databases.find(({ binding }) => binding === 'DB');
  const bucket = buckets.find(({ binding }) => binding === 'EXPORTS');
  if (!database?.database_name || !bucket?.bucket_name) {
    throw new SetupStop(`${config} has no database DB or no bucket EXPORTS for production.`);
  }
  const { database_id: id = NO_DATABASE } = database;
  return {
    accountId: production.account_id,
    bindings: databases.map(({ binding }) => binding),
    databaseName: database.database_name,
    databaseId: id === NO_DATABASE ? null : id,
    bucketName: bucket.bucket_name,
    publicAddress: textOf(vars['PUBLIC_BASE_URL'])?.replace(/\/+$/, '') ?? null,
    gateway: textOf(vars['GATEWAY']),
    isReachable: routes.length > 0 || production.workers_dev === true,
    missing: missingSettings(production, []),
  };
}

/** Writes settings and keeps the rest of the file as it is. Returns whether anything was different. */
export function writeSettings(config: string, changes: readonly Change[]): boolean {
  const before = readFileSync(config, 'utf8');
  const after = changes.reduce(
    (toml, { key, table, value }) => withSetting(toml, table, key, value),
    before,
  );
  if (after !== before) writeFileSync(config, after);
  return after !== before;
}

/** The settings by which a host leads to the Worker: a domain of the account, or a name under `workers.dev`. */
export function reachedAt(host: string): Change[] {
  const publicAddress: Change = {
    table: '[env.production.vars]',
    key: 'PUBLIC_BASE_URL',
    value: `https://${host}`,
  };
  if (host.endsWith('.workers.dev')) {
    const [name = ''] = host.split('.');
    return [
      { table: '[env.production]', key: 'name', value: name },
      { table: '[env.production]', key: 'workers_dev', value: true },
      publicAddress,
    ];
  }
  return [
    { table: '[[env.production.routes]]', key: 'pattern', value: host },
    { table: '[[env.production.routes]]', key: 'custom_domain', value: true },
    publicAddress,
  ];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
