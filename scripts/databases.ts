/**
 * `npm run databases -- add | migrate | status [--config <wrangler.toml>]`: the databases of a deployment (operate: Many
 * databases). `add` creates the next one, binds it in the file and gives it its tables; `migrate` applies what is missing to all,
 * in waves; `status` says what each lacks.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  accountEnvironment,
  importWrangler,
  projectConfig,
  root,
  wranglerBin,
} from './environment.ts';

/** How many databases are migrated at once. */
const WAVE = 10;

const [command = 'status', ...further] = process.argv.slice(2);
const named = further.indexOf('--config');
const config = named === -1 ? projectConfig : (further[named + 1] ?? projectConfig);
// Copied before importWrangler changes this process's environment for local use.
const environment = accountEnvironment({ ...process.env });
const { unstable_readConfig } = await importWrangler();

const commands: Readonly<Record<string, () => Promise<void>>> = {
  add,
  migrate: () => ofAll(['migrations', 'apply']),
  status: () => ofAll(['migrations', 'list']),
};
const run = commands[command];
if (!run) {
  console.error('Use npm run databases -- add, migrate or status.');
  process.exit(1);
}
await run();

function bindings(): string[] {
  const production = unstable_readConfig({ config, env: 'production' });
  return production.d1_databases.map((one: { readonly binding: string }) => one.binding);
}

async function add(): Promise<void> {
  const number = bindings().length + 1;
  const name = `booking-payments-${number}`;
  const said = await wrangler(['create', name]);
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(said)?.[0];
  if (id === undefined) throw new Error(`wrangler did not say the id of ${name}`);
  const text = readFileSync(config, 'utf8');
  const bound = `[[env.production.d1_databases]]\nbinding = "DB${number}"\ndatabase_name = "${name}"\ndatabase_id = "${id}"\nmigrations_dir = "migrations"\n`;
  writeFileSync(config, `${text.trimEnd()}\n\n${bound}`);
  await wrangler(['migrations', 'apply', `DB${number}`, '--remote']);
  console.log(`DB${number} is bound. npm run deploy lets the service use it.`);
}

/** Does something with each database, a wave at a time. The first wave that fails is the last. */
async function ofAll(what: readonly string[]): Promise<void> {
  const all = bindings();
  for (let from = 0; from < all.length; from += WAVE) {
    const wave = all.slice(from, from + WAVE);
    await Promise.all(
      wave.map(async (binding) => {
        const said = await wrangler([...what, binding, '--remote']);
        console.log(`${binding}\n${said.trim()}\n`);
      }),
    );
  }
}

/** Runs wrangler's command for D1, and returns what it says. Throws when it fails. */
function wrangler(args: readonly string[]): Promise<string> {
  const whole = [wranglerBin, 'd1', ...args, '--env', 'production', '--config', config];
  const child = spawn(process.execPath, whole, { cwd: root, env: environment });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(said);
      else reject(new Error(said.trim()));
    });
  });
}
