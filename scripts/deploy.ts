/**
 * `npm run deploy [-- <arguments for wrangler>]`: checks, migrates and deploys production. Changes nothing before all
 * checks pass. The previous version runs on the migrated database until the new one is deployed, so `migrationGuard.ts`
 * restricts what a migration may remove.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { accountEnvironment, importWrangler, root, wranglerBin } from './environment.ts';
import { missingSettings } from './production.ts';

const further = process.argv.slice(2);
// Copied before importWrangler changes this process's environment for local use.
const environment = accountEnvironment({ ...process.env });

const { unstable_readConfig } = await importWrangler();
const production = unstable_readConfig({
  config: path.join(root, 'wrangler.toml'),
  env: 'production',
});
const missing = missingSettings(production, further);
if (missing.length > 0) {
  console.error(
    `Not deployed. Complete wrangler.toml first:\n${missing.map((one) => `- ${one}`).join('\n')}`,
  );
  process.exit(1);
}

step('Types', ['npm', 'run', 'types']);
step('Lint', ['npm', 'run', 'lint']);
step('Migrations match the schema', ['npm', 'run', 'check:migrations']);
step('Tests', ['npm', 'test']);
step('Migrating the database', wrangler('d1', 'migrations', 'apply', 'DB', '--remote'));
step('Deploying', wrangler('deploy', ...further));
console.log(
  '\nDeployed. To return to the previous version: npx wrangler rollback --env production',
);

function wrangler(...args: string[]): string[] {
  return [process.execPath, wranglerBin, ...args, '--env', 'production'];
}

/** Runs one step. The first failing step ends the deployment. */
function step(name: string, [command = '', ...args]: string[]): void {
  console.log(`\n› ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });
  if (status === 0) return;
  console.error(`\nStopped: “${name}” failed. The earlier steps remain done.`);
  process.exit(status ?? 1);
}
