import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { root } from './environment.ts';
import { writeChanged } from './writeChanged.ts';

/**
 * Imports a module with what it imports of the Worker's code into this process, where no Worker runs. Node by itself reads no
 * JSX, and has no classes of objects.
 */
export async function importBundled<Module>(entry: string): Promise<Module> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    outdir: path.join(root, 'dist/imported'),
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'esnext',
    loader: { '.sql': 'text' },
    write: false,
    logLevel: 'warning',
    plugins: [withoutWorkers],
  });
  const [{ path: file, text } = { path: '', text: '' }] = outputFiles;
  writeChanged(file, text);
  return (await import(pathToFileURL(file).href)) as Module;
}

const withoutWorkers: esbuild.Plugin = {
  name: 'withoutWorkers',
  setup(build) {
    build.onResolve({ filter: /^cloudflare:workers$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'withoutWorkers',
    }));
    build.onLoad({ filter: /.*/, namespace: 'withoutWorkers' }, () => ({
      contents: 'export class DurableObject {}',
    }));
  },
};
