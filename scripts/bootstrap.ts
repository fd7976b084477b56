/**
 * `npm run bootstrap`: creates the first administrator of a deployment, who creates everything else by API. Prints
 * the secret once; the database gets only its digest. `-- --local <state folder>` uses a local state folder.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { digestSecret, newSecret } from '../src/records/clients/secrets.ts';
import { accountEnvironment, root, wranglerBin, wranglerEnvironment } from './environment.ts';

const { values } = parseArgs({
  options: { local: { type: 'string' }, id: { type: 'string', default: 'admin-1' } },
});
const { id, local } = values;

if (!/^[a-z0-9-]{1,64}$/.test(id)) {
  console.error('--id must have 1 to 64 characters: lower-case letters, digits and dashes.');
  process.exit(1);
}

const secret = newSecret();
const digest = await digestSecret(secret);
const [where, env] =
  local === undefined
    ? [['--remote', '--env', 'production'], accountEnvironment(process.env)]
    : [['--local', '--env=', '--persist-to', local], wranglerEnvironment()];
// Neither part can hold a quote: the id was checked, the digest is hexadecimal.
const insert = `INSERT INTO clients (id, property_id, scopes, secret_digest, seeded, created_at_ms)
  VALUES ('${id}', NULL, '["admin"]', '${digest}', 0, ${Date.now()})`;

const done = spawnSync(
  process.execPath,
  [wranglerBin, 'd1', 'execute', 'DB', ...where, '--yes', '--command', insert],
  { cwd: root, env, encoding: 'utf8' },
);
if (done.status !== 0) {
  console.error(`${done.stdout}${done.stderr}`);
  console.error(
    `Could not create the administrator. If ${id} already exists, choose another name with --id.`,
  );
  process.exit(1);
}
console.log(
  `Administrator ${id}\nSecret        ${secret}\n\nKeep the secret: it is not shown again.`,
);
