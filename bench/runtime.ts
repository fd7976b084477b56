import path from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { bundle } from '../scripts/bundle.ts';
import { root } from '../scripts/environment.ts';
import { bundledWorker } from '../scripts/localWorker.ts';

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
    bundledAlone(config, path.join(folder, 'bundle', name), { signal, minify: !inspect });
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

/** A Worker of the bench, bundled, on a socket of its own. */
async function bundledAlone(
  config: string,
  outdir: string,
  build: { readonly minify: boolean; readonly signal: AbortSignal },
): Promise<V4WorkerOptions> {
  const configPath = path.join(root, config);
  await bundle(configPath, outdir, build);
  // No assets: nobody measures them, and they would put a router before the socket.
  const { assets: _, ...worker } = await bundledWorker(configPath, outdir);
  return { ...worker, unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] };
}
