/**
 * `npm run deploy [-- --config <wrangler.toml>] [<arguments for wrangler>]`: checks, migrates and deploys production.
 * Changes nothing before all checks pass; asks who is signed in before the tests, which take minutes. The previous version runs on the migrated
 * database until the new one is deployed, so `migrationGuard.ts` restricts what a migration may remove.
 */
import { spawnSync } from 'node:child_process';
import {
  accountEnvironment,
  importWrangler,
  projectConfig,
  root,
  wranglerProgram,
} from './environment.ts';
import { loginProblem } from './login.ts';
import { missingSettings } from './production.ts';
import { wranglerFor } from './wrangler.ts';

const further = process.argv.slice(2);
const named = further.indexOf('--config');
const config = named === -1 ? projectConfig : (further.splice(named, 2)[1] ?? projectConfig);
// Copied before importWrangler changes this process's environment for local use.
const environment = accountEnvironment({ ...process.env });

const { unstable_readConfig } = await importWrangler();
const production = unstable_readConfig({ config, env: 'production' });
const missing = missingSettings(production, further);
if (missing.length > 0) {
  stop(`Complete wrangler.toml first:\n${missing.map((one) => `- ${one}`).join('\n')}`);
}
const problem = await loginProblem(wranglerFor(environment, config), {
  fromEnvironment: environment['CLOUDFLARE_ACCOUNT_ID'],
  fromConfig: production.account_id,
});
if (problem !== null) stop(problem);

step('Types', ['npm', 'run', 'types']);
step('Lint', ['npm', 'run', 'lint']);
step('Migrations match the schema', ['npm', 'run', 'check:migrations']);
step('Tests', ['npm', 'test']);
step('Migrating the databases', [
  process.execPath,
  'scripts/databases.ts',
  'migrate',
  '--config',
  config,
]);
step('Deploying', wrangler('deploy', ...further));
console.log(
  '\nDeployed. To return to the previous version: npx wrangler rollback --env production',
);

/** Ends before anything was done. */
function stop(reason: string): never {
  console.error(`Not deployed. ${reason}`);
  process.exit(1);
}

function wrangler(...args: string[]): string[] {
  return [process.execPath, ...wranglerProgram, ...args, '--env', 'production', '--config', config];
}

/** Runs one step. The first failing step ends the deployment. */
function step(name: string, [command = '', ...args]: string[]): void {
  console.log(`\n› ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });
  if (status === 0) return;
  console.error(`\nStopped: “${name}” failed. The earlier steps remain done.`);
  process.exit(status ?? 1);
}
