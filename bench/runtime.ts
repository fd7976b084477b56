import { globSync } from 'node:fs';
import path from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { root } from '../scripts/environment.ts';
import { bundle } from './bundle.ts';

/** One runtime with the service and the yardsticks, each on its own socket. */
export interface Runtime {
  readonly service: URL;
  readonly yardstick: URL;
  readonly database: D1Database;
  readonly keyring: string;
  /** The file with the service's bundled code. */
  readonly serviceBundle: string;
  /** The URL of the service's V8 inspector; null unless requested. */
  readonly inspector: URL | null;
  stop(): Promise<void>;
}

/**
 * Bundles both Workers as for a deployment, and serves them from one workerd. Requests go directly to its sockets,
 * without wrangler's proxy and Miniflare's router.
 */
export async function startRuntime(
  folder: string,
  signal: AbortSignal,
  { inspect = false }: { readonly inspect?: boolean } = {},
): Promise<Runtime> {
  const build = (config: string, name: string) =>
    bundledWorker(config, name, { folder, signal, minify: !inspect });
  const service = await build('wrangler.toml', 'src');
  const yardstick = await build('bench/yardstick/wrangler.toml', 'bench');
  const keyring = service.bindings?.['KEYRING'];
  if (typeof keyring !== 'string') throw new Error('.dev.vars has no KEYRING');

  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: path.join(folder, 'state'),
      cf: false,
      // Port 0: any free port.
      ...(inspect && { inspectorPort: 0 }),
      workers: [
        { ...service, name: 'service', bindings: { ...service.bindings, LOCAL_MODE: 'true' } },
        { ...yardstick, name: 'yardstick', bindings: { ...yardstick.bindings, KEYRING: keyring } },
      ],
    }),
  );
  try {
    return {
      service: await miniflare.unsafeGetDirectURL('service'),
      yardstick: await miniflare.unsafeGetDirectURL('yardstick'),
      database: await miniflare.getD1Database('DB', 'service'),
      keyring,
      serviceBundle: path.join(folder, 'bundle/src/index.js'),
      inspector: inspect ? new URL('/core:user:service', await miniflare.getInspectorURL()) : null,
      stop: () => miniflare.dispose(),
    };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

interface Build {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly minify: boolean;
  /** Another file than the configuration's. */
  readonly entry?: string;
}

/** Bundles a Worker. Returns it with the bindings of its configuration, which is a path from the project's folder on. */
export async function bundledWorker(
  config: string,
  name: string,
  { folder, signal, ...build }: Build,
): Promise<V4WorkerOptions> {
  const configPath = path.resolve(root, config);
  const outdir = path.join(folder, 'bundle', name);
  const main = `${path.basename(build.entry ?? 'index.ts', '.ts')}.js`;
  await bundle(configPath, outdir, signal, build);
  // No assets: nobody measures them, and they would put a router before the socket.
  const {
    assets: _,
    modulesRules: __,
    ...options
  } = unstable_getMiniflareWorkerOptions(configPath).workerOptions;
  return {
    ...options,
    modules: [
      { type: 'ESModule', path: path.join(outdir, main) },
      ...globSync(path.join(outdir, '*.sql')).map(
        (file) => ({ type: 'Text', path: file }) as const,
      ),
    ],
    modulesRoot: outdir,
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}
