import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type CallExpression, type Identifier, parseSync } from '@swc/core';
import * as esbuild from 'esbuild';
import { root } from './environment.ts';
import { parsedMessages } from './messages.ts';
import { writeChanged } from './writeChanged.ts';

/**
 * Bundles the service's own code into `dist/worker`, `main` in wrangler.toml, without what only the OpenAPI document shows:
 * it is an asset, made of all (`assets.ts`). Packages stay imports, which wrangler bundles. `entry` is another file, whose
 * name the bundle gets. Returns the bundle's path.
 */
export async function bundleWorker(entry = 'src/index.ts'): Promise<string> {
  const outdir = path.join(root, 'dist/worker');
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    outdir,
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'esnext',
    sourcemap: 'linked',
    write: false,
    logLevel: 'warning',
    plugins: [undocumented],
  });
  for (const { path: file, text } of outputFiles) writeChanged(file, text);
  return path.join(outdir, `${path.basename(entry, '.ts')}.js`);
}

const undocumented: esbuild.Plugin = {
  name: 'undocumented',
  setup(build) {
    build.onResolve({ filter: /^@hono\/zod-openapi$/ }, () => ({
      path: path.join(root, 'scripts/undocumented.js'),
    }));
    build.onResolve({ filter: /\.sql$/ }, ({ path: name, resolveDir }) => ({
      path: path.join(resolveDir, name),
      external: true,
    }));
    build.onLoad({ filter: /\/locales\/.*\.json$/ }, ({ path: file }) => ({
      contents: JSON.stringify(parsedMessages(JSON.parse(readFileSync(file, 'utf8')))),
      loader: 'json',
    }));
    build.onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path: file }) => {
      const isJsx = file.endsWith('x');
      const text = readFileSync(file, 'utf8');
      // All of `z`, so that what nobody uses of it goes.
      const read = text.replace(IMPORTS_ZOD, "import $1* as z from 'zod';");
      return { contents: withoutDocument(read, isJsx), loader: isJsx ? 'tsx' : 'ts' };
    });
  },
};

const IMPORTS_ZOD = /^import (type )?\{ z \} from '(?:@hono\/zod-openapi|zod)';/m;

/** Methods of schemas that only say something of them. */
const NOTES = ['describe', 'openapi'];

/** A part of a file that goes, in bytes, and what stands for it. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly instead: string;
}

/**
 * The text of a module without what it says for the OpenAPI document: `.describe(…)` and `.openapi(…)` of schemas, and the
 * calls of `registerPath(…)`. Lines stay lines, for the source map.
 */
export function withoutDocument(text: string, isJsx: boolean): string {
  if (!/\.(describe|openapi|registerPath)\(/.test(text)) return text;
  const { body } = parseSync(text, { syntax: 'typescript', tsx: isJsx, target: 'es2024' });
  return partsOf(body)
    .toSorted((one, other) => other.from - one.from)
    .reduce((rest, { from, to, instead }) => {
      const lines = rest.toString('utf8', from, to).replace(/[^\n]/g, '');
      const parts = [rest.subarray(0, from), Buffer.from(instead + lines), rest.subarray(to)];
      return Buffer.concat(parts);
    }, Buffer.from(text))
    .toString();
}

/** The parts that go of a part of a syntax tree, whose places count from 1. */
function partsOf(tree: unknown): Part[] {
  if (tree === null || typeof tree !== 'object') return [];
  const { type, callee, span } = tree as Partial<CallExpression>;
  if (type === 'CallExpression' && callee?.type === 'MemberExpression' && span) {
    const { object, property } = callee;
    const method = property.type === 'Identifier' ? property.value : '';
    const to = span.end - 1;
    if (method === 'registerPath') return [{ from: span.start - 1, to, instead: 'void 0' }];
    const { span: noted } = object as Identifier;
    if (NOTES.includes(method))
      return [...partsOf(object), { from: noted.end - 1, to, instead: '' }];
  }
  return Object.values(tree).flatMap(partsOf);
}
