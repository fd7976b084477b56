import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type CallExpression,
  type Identifier,
  type KeyValueProperty,
  type ObjectExpression,
  parseSync,
} from '@swc/core';
import * as esbuild from 'esbuild';
import { root } from './environment.ts';
import { parsedMessages } from './messages.ts';
import { writeChanged } from './writeChanged.ts';

/**
 * Bundles the service's own code into `dist/worker`, `main` in wrangler.toml, without what only the OpenAPI document and
 * migrations need: they are made of all of it before. Packages stay imports, which wrangler bundles. `entry` is another file, whose
 * name the bundle gets. Returns the bundle's path.
 */
export async function bundleWorker(entry = 'src/index.ts'): Promise<string> {
  const outdir = path.join(root, 'dist/worker');
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    outdir,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'esnext',
    sourcemap: 'linked',
    write: false,
    logLevel: 'warning',
    plugins: [trimmed],
  });
  for (const { path: file, text } of outputFiles) writeChanged(file, text);
  return path.join(outdir, `${path.basename(entry, '.ts')}.js`);
}

const trimmed: esbuild.Plugin = {
  name: 'trimmed',
  setup(build) {
    build.onResolve({ filter: /^@hono\/zod-openapi$/ }, () => ({
      path: path.join(root, 'scripts/undocumented.js'),
    }));
    build.onResolve({ filter: /^[^./]/ }, ({ kind, path: name }) =>
      // What a module no longer uses is not imported.
      kind === 'entry-point' ? null : { path: name, external: true, sideEffects: false },
    );
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
      return { contents: trimmedModule(read, isJsx), loader: isJsx ? 'tsx' : 'ts' };
    });
  },
};

const IMPORTS_ZOD = /^import (type )?\{ z \} from '(?:@hono\/zod-openapi|zod)';/m;

/** Methods of schemas that only say something of them. */
const NOTES = ['describe', 'openapi'];

/** What tables say for migrations alone, in lists. */
const CONSTRAINTS = ['check', 'index', 'uniqueIndex'];

const COMMA = ','.charCodeAt(0);

/** A part of a file that goes, in bytes, and what replaces it. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly instead: string;
  /** Whether a comma right behind it goes too. */
  readonly withComma?: true;
}

/**
 * The text of a module without what it says for the OpenAPI document and for migrations: `.describe(…)` and `.openapi(…)` of
 * schemas, calls of `registerPath(…)`, texts of a `summary`, answers and problems of operations, and checks and indexes of
 * tables. Lines stay lines, for the source map.
 */
export function trimmedModule(text: string, isJsx: boolean): string {
  const hasTables = text.includes('sqliteTable(');
  if (!hasTables && !/\.(describe|openapi|registerPath)\(|(summary|problems):/.test(text))
    return text;
  const { body } = parseSync(text, { syntax: 'typescript', tsx: isJsx, target: 'es2024' });
  return partsOf(body, hasTables ? CONSTRAINTS : [])
    .toSorted((one, other) => other.from - one.from)
    .reduce((rest, { from, to, instead, withComma }) => {
      const lines = rest.toString('utf8', from, to).replace(/[^\n]/g, '');
      const after = rest.subarray(withComma && rest[to] === COMMA ? to + 1 : to);
      const parts = [rest.subarray(0, from), Buffer.from(instead + lines), after];
      return Buffer.concat(parts);
    }, Buffer.from(text))
    .toString();
}

/** The parts that go of a part of a syntax tree, whose places count from 1. `constraints` are functions whose calls go. */
function partsOf(tree: unknown, constraints: readonly string[]): Part[] {
  if (tree === null || typeof tree !== 'object') return [];
  const { type, callee, span } = tree as Partial<CallExpression>;
  const summary = documentedIn(tree, ['summary']);
  if (summary) return [summary];
  if (type === 'CallExpression' && callee && span) {
    const [from, to] = [span.start - 1, span.end - 1];
    if (constraints.includes(functionOf(callee))) return [{ from, to, instead: '' }];
    const { object, method } = methodOf(callee);
    if (method === 'registerPath') return [{ from, to, instead: 'void 0' }];
    if (OPERATION.test(functionOf(callee))) return partsOfOperation(tree as CallExpression);
    if (object && NOTES.includes(method)) {
      const { span: noted } = object as Identifier;
      return [...partsOf(object, constraints), { from: noted.end - 1, to, instead: '' }];
    }
  }
  return Object.values(tree).flatMap((inner) => partsOf(inner, constraints));
}

/** Functions that register an operation, which an object describes. */
const OPERATION = /(?:Operation|List)$/;

/** What the document alone needs of an operation, beside its summary. */
const DOCUMENTED = ['answer', 'problems'];

function partsOfOperation({ arguments: given }: CallExpression): Part[] {
  return given.flatMap(({ expression }) =>
    expression.type === 'ObjectExpression'
      ? expression.properties.flatMap(
          (property) => documentedIn(property, DOCUMENTED) ?? partsOf(property, []),
        )
      : partsOf(expression, []),
  );
}

/** A member with one of these names and a literal value, which only the document needs; null for others. */
function documentedIn(member: object, names: readonly string[]): Part | null {
  const { key, type, value } = member as Partial<KeyValueProperty>;
  if (type !== 'KeyValueProperty' || key?.type !== 'Identifier') return null;
  if (!names.includes(key.value) || !LITERALS.includes(value?.type ?? '')) return null;
  const [from, to] = [key.span.start - 1, (value as ObjectExpression).span.end - 1];
  return { from, to, instead: '', withComma: true };
}

const LITERALS = ['ArrayExpression', 'ObjectExpression', 'StringLiteral'];

type Callee = CallExpression['callee'];

/** The function that a chain of calls begins with: `index` of `index('a').on(b)`. */
function functionOf(callee: Callee): string {
  if (callee.type === 'Identifier') return callee.value;
  const { object } = methodOf(callee);
  return object?.type === 'CallExpression' ? functionOf(object.callee) : '';
}

function methodOf(callee: Callee) {
  if (callee.type !== 'MemberExpression') return { object: null, method: '' };
  const { object, property } = callee;
  return { object, method: property.type === 'Identifier' ? property.value : '' };
}
