/**
 * `npm run databases -- add | migrate | status [--config <wrangler.toml>]`: the databases of a deployment (operate: Many
 * databases). `add` creates the next one, binds it in the file and gives it its tables; `migrate` applies what is missing to all,
 * in waves; `status` says what each lacks.
 */
import { addDatabase } from './databases/add.ts';
import { inWaves, nextStep } from './databases/waves.ts';
import { accountEnvironment, importWrangler, projectConfig } from './environment.ts';
import { wranglerFor } from './wrangler.ts';

const [command = 'status', ...further] = process.argv.slice(2);
const named = further.indexOf('--config');
const config = named === -1 ? projectConfig : (further[named + 1] ?? projectConfig);
// Copied before importWrangler changes this process's environment for local use.
const wrangler = wranglerFor(accountEnvironment({ ...process.env }), config);
const { unstable_readConfig } = await importWrangler();

const commands: Readonly<Record<string, () => Promise<void>>> = {
  add,
  migrate: () => ofAll('migrations', 'apply'),
  status: () => ofAll('migrations', 'list'),
};
const run = commands[command];
if (!run) {
  console.error('Use npm run databases -- add, migrate or status [--config <wrangler.toml>].');
  process.exit(1);
}
await run();

function bindings(): string[] {
  const production = unstable_readConfig({ config, env: 'production' });
  return production.d1_databases.map((one: { readonly binding: string }) => one.binding);
}

async function add(): Promise<void> {
  const binding = await addDatabase(wrangler, config, bindings().length + 1);
  console.log(`${binding} is bound. npm run deploy lets the service use it.`);
}

/** Does something with each database, and says what came of it. */
async function ofAll(...what: string[]): Promise<void> {
  const waves = await inWaves(bindings(), async (binding) => {
    const said = await d1(...what, binding, '--remote');
    console.log(`${binding}\n${said}\n`);
  });
  for (const [binding, why] of waves.failed) console.error(`${binding} failed\n${why}\n`);
  if (waves.failed.size === 0) return;
  console.error(nextStep(waves));
  process.exitCode = 1;
}

/** Runs wrangler's command for D1, and returns what it says. Throws when it fails. */
async function d1(...args: string[]): Promise<string> {
  const { ok, output } = await wrangler.run('d1', ...args, '--env', 'production');
  if (!ok) throw new Error(output);
  return output;
}
