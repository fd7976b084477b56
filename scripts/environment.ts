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

/** Settings that keep wrangler's logs, registry, caches and temporary files inside the project, and it quiet. */
export function wranglerEnvironment(): NodeJS.ProcessEnv {
  const home = path.join(root, '.wrangler');
  const temporary = path.join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return {
    ...process.env,
    TMPDIR: temporary,
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
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
