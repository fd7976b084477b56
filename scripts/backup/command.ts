import path from 'node:path';
import { parseArgs } from 'node:util';
import { accountEnvironment, importWrangler, projectConfig, root } from '../environment.ts';
import { wranglerFor } from '../wrangler.ts';
import type { Deployment } from './deployment.ts';
import type { Administered } from './stores.ts';

/** What a command line asks for. */
export interface Asked {
  /** The backup's folder. */
  readonly folder: string;
  /** The local state folder. */
  readonly persistTo: string;
  /** The deployment, where one is meant. */
  readonly deployment: Deployment | null;
}

/** Reads `<folder> [--production] [--config <wrangler.toml>] [--service <address>]`, with ADMIN_ID and ADMIN_SECRET. */
export async function askedFor(name: string): Promise<Asked> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      production: { type: 'boolean', default: false },
      config: { type: 'string', default: projectConfig },
      service: { type: 'string' },
    },
  });
  const [folder] = positionals;
  if (values.help || folder === undefined || positionals.length > 1) {
    throw new Error(
      `Use npm run ${name} -- <folder> [--production] [--config <wrangler.toml>] [--service <address>]`,
    );
  }
  // Before deploymentOf changes this process's environment for local use.
  const service = administered(values.service);
  return {
    folder: path.resolve(folder),
    persistTo: path.resolve(process.env['PERSIST_TO'] ?? path.join(root, '.wrangler/state')),
    deployment: values.production ? await deploymentOf(values.config, '--remote', service) : null,
  };
}

/** The service at an address, with the administrator that the environment names. */
function administered(address: string | undefined): Administered | null {
  if (address === undefined) return null;
  const { ADMIN_ID: id, ADMIN_SECRET: secret } = process.env;
  if (!id || !secret) throw new Error('Set ADMIN_ID and ADMIN_SECRET for --service.');
  return { address: address.replace(/\/$/, ''), administrator: { id, secret } };
}

/** Production as a `wrangler.toml` has it; for tests, its local stand-in. */
export async function deploymentOf(
  config: string,
  place: Deployment['place'] = '--remote',
  service: Administered | null = null,
): Promise<Deployment> {
  // Copied before importWrangler changes this process's environment for local use.
  const environment = accountEnvironment({ ...process.env });
  const { unstable_readConfig } = await importWrangler();
  const production = unstable_readConfig({ config, env: 'production' });
  const [bucket] = production.r2_buckets;
  if (bucket?.bucket_name === undefined) throw new Error(`${config} has no bucket.`);
  return {
    wrangler: wranglerFor(environment, config),
    place,
    bindings: production.d1_databases.map((one: { readonly binding: string }) => one.binding),
    bucket: bucket.bucket_name,
    progress: (line) => console.log(`› ${line}`),
    service,
  };
}

/** Does a command, and says in one line what it came to. */
export async function told(work: () => Promise<string>): Promise<void> {
  try {
    console.log(await work());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
