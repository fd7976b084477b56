import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The project's folder. */
export const root = path.join(import.meta.dirname, '..');

/** Where wrangler's command line lies. */
export const wranglerBin = path.join(
  path.dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
);

/** Where wrangler keeps what it needs only for a while. */
const home = path.join(root, '.wrangler');

/** Settings that keep all of wrangler's files inside the project, its login included, and it quiet: for whatever is local. */
export function wranglerEnvironment(): NodeJS.ProcessEnv {
  return {
    ...accountEnvironment(process.env),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
  };
}

/**
 * The same for whatever needs an account, on top of the environment that it was started in: wrangler finds whom
 * `wrangler login` has signed in.
 */
export function accountEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const temporary = path.join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return {
    ...own,
    TMPDIR: temporary,
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

/** Reads wrangler.toml as wrangler does. */
export async function wranglerConfig(): Promise<LocalConfig> {
  const { unstable_readConfig } = await importWrangler();
  return unstable_readConfig({ config: path.join(root, 'wrangler.toml') });
}

/** Wrangler as a library. It looks at the environment while it is loaded, so it is loaded with ours set. */
export function importWrangler(): Promise<typeof import('wrangler')> {
  Object.assign(process.env, wranglerEnvironment());
  return import('wrangler');
}
