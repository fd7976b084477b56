/**
 * `npm run bootstrap`: creates the first administrator of a deployment, who creates everything else by API. Prints
 * the secret once; the database gets only its digest. `-- --local <state folder>` uses a local state folder.
 */
import { parseArgs } from 'node:util';
import { isAdministratorId, newAdministrator } from './administrator.ts';
import { accountEnvironment, wranglerEnvironment } from './environment.ts';
import { wranglerFor } from './wrangler.ts';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    local: { type: 'string' },
    id: { type: 'string', default: 'admin-1' },
  },
});
const { help, id, local } = values;

if (help) {
  console.log(`npm run bootstrap [-- flags] creates an administrator and prints the secret once.

--id <id>          the administrator's id: lower-case letters, digits and dashes; admin-1 without it
--local <folder>   in a local state folder, instead of production's database`);
  process.exit(0);
}

if (!isAdministratorId(id)) {
  console.error('--id must have 1 to 64 characters: lower-case letters, digits and dashes.');
  process.exit(1);
}

const { insert, secret } = await newAdministrator(id);
const [where, environment] =
  local === undefined
    ? [['--remote', '--env', 'production'], accountEnvironment(process.env)]
    : [['--local', '--env=', '--persist-to', local], wranglerEnvironment()];
const execute = ['d1', 'execute', 'DB', ...where, '--yes', '--command', insert];
const { ok, output } = await wranglerFor(environment).run(...execute);

if (!ok) {
  console.error(`${output}\n\nNo administrator was created.${hint()}`);
  process.exit(1);
}
console.log(
  `Administrator ${id}\nSecret        ${secret}\n\nKeep the secret: it is not shown again.`,
);

function hint(): string {
  return output.includes('UNIQUE constraint')
    ? ` There is one named ${id} already: choose another name with --id.`
    : '';
}
