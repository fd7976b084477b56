/** The Worker, bundled as for a deployment and with the bindings of its configuration, as Miniflare takes it. */
import { existsSync, globSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { V4WorkerOptions } from 'miniflare';
import { buildFiles, digestOf } from './buildFiles.ts';
import { bundle } from './bundle.ts';
import { importWrangler, localConfig, projectConfig, root } from './environment.ts';

/** What the bundle follows from: what a build made, and how wrangler bundles that. */
const BUNDLED = ['dist/built.sha256', 'wrangler.toml'];

/** The name under which a state folder keeps the objects. */
const NAME = 'booking-payments';

const bundles = path.join(root, 'dist/local');

/** The service for this machine. `entry` is another Worker's file in place of the service's own. */
export async function localWorker(entry?: string): Promise<V4WorkerOptions> {
  const outdir = await (entry === undefined ? bundledService() : bundledOther(entry));
  return { ...(await bundledWorker(localConfig(), outdir)), name: NAME };
}

/** The Worker of a configuration, whose bundle is in `outdir`. */
export async function bundledWorker(config: string, outdir: string): Promise<V4WorkerOptions> {
  const { unstable_getMiniflareWorkerOptions } = await importWrangler();
  const { modulesRules: _, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  const filesOf = (type: 'ESModule' | 'Text', pattern: string) =>
    globSync(pattern, { cwd: outdir }).map((name) => ({ type, path: path.join(outdir, name) }));
  // The first one is the Worker.
  const modules = [...filesOf('ESModule', '*.js'), ...filesOf('Text', '*.sql')];
  return { ...options, modules, modulesRoot: outdir };
}

/** The folder of the service's bundle, which is made once for the same sources: that takes seconds. */
async function bundledService(): Promise<string> {
  await buildFiles();
  const digest = digestOf(root, BUNDLED);
  const outdir = path.join(bundles, digest);
  if (existsSync(outdir)) return outdir;
  // It gets its name once it is whole: other processes look for it, or make it at the same time.
  const own = `${outdir}.${process.pid}`;
  await bundle(projectConfig, own);
  try {
    renameSync(own, outdir);
  } catch (error) {
    if (!existsSync(outdir)) throw error;
    rmSync(own, { recursive: true });
  }
  const older = readdirSync(bundles).filter((name) => !name.startsWith(digest));
  for (const name of older) rmSync(path.join(bundles, name), { recursive: true, force: true });
  return outdir;
}

async function bundledOther(entry: string): Promise<string> {
  const outdir = path.join(bundles, path.basename(entry));
  rmSync(outdir, { recursive: true, force: true });
  await bundle(projectConfig, outdir, { entry });
  return outdir;
}
