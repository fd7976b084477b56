/**
 * `npm run deploy [-- <wrangler's own arguments>]`: checks, migrates and deploys production. Nothing is touched
 * before all checks are green, and migrations only ever add, so that the version before goes on working meanwhile.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { accountEnvironment, importWrangler, root, wranglerBin } from './environment.ts';
import { missingSettings } from './production.ts';

const further = process.argv.slice(2);
// Taken before wrangler is loaded here, which sets the process's own to local ones.
const environment = accountEnvironment({ ...process.env });

const { unstable_readConfig } = await importWrangler();
const production = unstable_readConfig({
  config: path.join(root, 'wrangler.toml'),
  env: 'production',
});
const missing = missingSettings(production, further);
if (missing.length > 0) {
  console.error(`Not deployed. In wrangler.toml:\n${missing.map((one) => `- ${one}`).join('\n')}`);
  process.exit(1);
}

step('Types', ['npm', 'run', 'types']);
step('Lint', ['npm', 'run', 'lint']);
step('Migrations match the schema', ['npm', 'run', 'check:migrations']);
step('Tests', ['npm', 'test']);
step('Migrating the database', wrangler('d1', 'migrations', 'apply', 'DB', '--remote'));
step('Deploying', wrangler('deploy', ...further));
console.log('\nDeployed. `npx wrangler rollback --env production` takes it back.');

function wrangler(...args: string[]): string[] {
  return [process.execPath, wranglerBin, ...args, '--env', 'production'];
}

/** Runs one step; everything ends with the first that fails. */
function step(name: string, [command = '', ...args]: string[]): void {
  console.log(`\n› ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });
  if (status === 0) return;
  console.error(`\nStopped: ${name} failed. What came before it stays as it is.`);
  process.exit(status ?? 1);
}
