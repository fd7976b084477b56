/**
 * `npm run check:openapi`: is the OpenAPI document as others expect it? Two linters and a validator read it without an
 * error, and two generated clients compile and do the main job against a running service. The tools are a package of
 * their own, `scripts/openApi`, because they need an older TypeScript. Exits with 1 when anything fails.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './environment.ts';
import { freePort, startService } from './service.ts';

const tools = path.join(root, 'scripts', 'openApi');
const bin = (name: string) => path.join(tools, 'node_modules', '.bin', name);

mkdirSync(path.join(root, '.wrangler'), { recursive: true });
const folder = mkdtempSync(path.join(root, '.wrangler', 'check-openapi-'));
const inFolder = (...names: string[]) => path.join(folder, ...names);

try {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], tools);
  const service = await startService({
    port: await freePort(),
    persistTo: inFolder('state'),
    crons: false,
  });
  try {
    const answer = await fetch(`${service.url}/openapi.json`);
    writeFileSync(inFolder('openapi.json'), await answer.text());
    lint();
    generate();
    for (const program of ['heyApi', 'openApiFetch']) doMainJob(program, service.url);
  } finally {
    await service.stop();
  }
  process.stdout.write('The document is in order.\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function lint(): void {
  writeFileSync(inFolder('spectral.json'), '{ "extends": ["spectral:oas"] }');
  const document = inFolder('openapi.json');
  run(bin('redocly'), ['lint', '--extends=recommended', '--format=summary', document]);
  run(bin('spectral'), ['lint', '--ruleset', inFolder('spectral.json'), document]);
  run(bin('validate-api'), [document]);
}

/** Generates both clients beside the programs that use them, and compiles all of it. */
function generate(): void {
  cpSync(path.join(tools, 'programs'), folder, { recursive: true });
  symlinkSync(path.join(tools, 'node_modules'), inFolder('node_modules'));
  const document = inFolder('openapi.json');
  run(bin('openapi-typescript'), [document, '--output', inFolder('openApiTypes.ts')]);
  run(bin('openapi-ts'), ['--input', document, '--output', inFolder('heyApi')]);
  run(bin('tsc'), ['--project', inFolder('tsconfig.json')]);
}

function doMainJob(program: string, url: string): void {
  const bundle = inFolder(`${program}.mjs`);
  const entry = inFolder(`${program}.ts`);
  run(bin('esbuild'), [
    entry,
    '--bundle',
    '--platform=node',
    '--format=esm',
    `--outfile=${bundle}`,
  ]);
  run(process.execPath, [bundle, url]);
  process.stdout.write(`${program} did the main job.\n`);
}

/** Runs a program. Tools tell nobody that they ran. */
function run(command: string, parameters: readonly string[], cwd = folder): void {
  const env = {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  const { status } = spawnSync(command, parameters, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${path.basename(command)} failed`);
}
