/**
 * `npm run backup -- <folder>`: backs up the local state (PERSIST_TO), or with `--production` a deployment's D1 and R2
 * (operate: Backup and restore).
 */
import { askedFor, told } from './backup/command.ts';
import { backUpDeployment } from './backup/deployment.ts';
import { backUpState } from './backup/local.ts';

await told(async () => {
  const { deployment, folder, persistTo } = await askedFor('backup');
  if (deployment) await backUpDeployment(deployment, folder);
  else await backUpState(persistTo, folder);
  return `Backed up and checked: ${folder}`;
});
