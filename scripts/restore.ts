/**
 * `npm run restore -- <folder>`: makes a local state (PERSIST_TO) from a backup, or with `--production` fills a deployment's
 * empty databases and bucket (operate: Backup and restore).
 */
import { askedFor, told } from './backup/command.ts';
import { restoreDeployment } from './backup/deployment.ts';
import { restoreState } from './backup/local.ts';
import { readManifest } from './backup/manifest.ts';

await told(async () => {
  const { deployment, folder, persistTo } = await askedFor('restore');
  if (deployment) {
    await restoreDeployment(deployment, folder);
    return 'Restored: rows, sums and guards are those of the backup.';
  }
  if (readManifest(folder).kind !== 'local') {
    throw new Error(`${folder} is the backup of a deployment: add --production.`);
  }
  await restoreState(folder, persistTo);
  return `Restored: rows, sums and guards are those of the backup. State: ${persistTo}`;
});
