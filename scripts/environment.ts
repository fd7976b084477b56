import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { writeChanged } from './writeChanged.ts';

/** The project's folder. */
export const root = path.join(import.meta.dirname, '..');

/** The project's wrangler.toml. */
export const projectConfig = path.join(root, 'wrangler.toml');

/** What Node runs as wrangler: the program itself, because its `bin` starts a second process for that. */
export const wranglerProgram: readonly string[] = [
  '--no-warnings',
  createRequire(import.meta.url).resolve('wrangler'),
];

/** The folder for wrangler's temporary files, caches and logs. */
const home = path.join(root, '.wrangler');

/** The environment for local work: keeps all of wrangler's files, and its login, inside the project. */
export function wranglerEnvironment(): NodeJS.ProcessEnv {
  return {
    ...accountEnvironment(process.env),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
  };
}

/** The environment for work on a Cloudflare account: extends `own`, so that wrangler finds the user's login. */
export function accountEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const temporary = path.join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return {
    ...own,
    TMPDIR: temporary,
    // Wrangler is 20 MB of JavaScript. Without this cache every process would compile it again.
    NODE_COMPILE_CACHE: path.join(home, 'cache', 'node'),
    WRANGLER_LOG_PATH: path.join(home, 'logs'),
    WRANGLER_REGISTRY_PATH: path.join(home, 'registry'),
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    X_LOCAL_OBSERVABILITY: 'false',
    NO_UPDATE_NOTIFIER: '1',
  };
}

/** The parts of wrangler.toml that the scripts need, for the local environment. */
interface LocalConfig {
  readonly compatibility_date?: string;
  readonly d1_databases: readonly { readonly binding: string; readonly database_id?: string }[];
  readonly triggers: { readonly crons?: readonly string[] };
}

/** The values of `.dev.vars`: the local start's variables and secrets. */
export function devVars(): Readonly<Record<string, string | undefined>> {
  return parseEnv(readFileSync(path.join(root, '.dev.vars'), 'utf8'));
}

/** How many databases a local start has: `DATABASES=3 npm start`. */
export function localDatabases(): number {
  return numberIn('DATABASES', 1);
}

/** How many databases in objects a local start has: `STORES=1 npm start`. */
export function localStores(): number {
  return numberIn('STORES', 0);
}

/** A number of the environment, at least and unless it is set `least`. */
function numberIn(name: string, least: number): number {
  const many = Number(process.env[name] ?? least);
  if (Number.isInteger(many) && many >= least && many <= 100) return many;
  throw new Error(`${name} must be a number from ${least} to 100.`);
}

/** The bindings of databases beside the one in wrangler.toml, as that has them. */
export function furtherDatabases() {
  return Array.from({ length: localDatabases() - 1 }, (_, at) => ({
    binding: `DB${at + 2}`,
    database_name: `booking-payments-${at + 2}`,
    database_id: `00000000-0000-0000-0000-${String(at + 2).padStart(12, '0')}`,
    migrations_dir: 'migrations',
  }));
}

/**
 * The configuration of a local start: the project's own or, with more databases, one written beside it, because wrangler
 * takes paths from where the file is.
 */
export function localConfig(): string {
  const further = furtherDatabases();
  if (further.length === 0) return projectConfig;
  const tables = further.map((one) =>
    [
      '[[d1_databases]]',
      ...Object.entries(one).map(([name, value]) => `${name} = "${value}"`),
      '',
    ].join('\n'),
  );
  const [local = ''] = readFileSync(projectConfig, 'utf8').split(/^\[env\.production\]$/m);
  const file = path.join(root, `.wrangler.${further.length + 1}.toml`);
  writeChanged(file, `${local}\n${tables.join('\n')}`);
  return file;
}

/** Reads wrangler.toml as wrangler does. */
export async function wranglerConfig(): Promise<LocalConfig> {
  const { unstable_readConfig } = await importWrangler();
  return unstable_readConfig({ config: projectConfig });
}

/**
 * Imports wrangler as a library. It reads the environment during the import, so this sets it first. A process that has chosen
 * its temporary folder keeps that: tests have theirs in memory.
 */
export function importWrangler(): Promise<typeof import('wrangler')> {
  const { TMPDIR } = process.env;
  Object.assign(process.env, wranglerEnvironment(), TMPDIR && { TMPDIR });
  return import('wrangler');
}
