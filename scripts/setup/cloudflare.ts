/** What the service needs of a Cloudflare account, made by wrangler. */
import type { Wrangler } from '../wrangler.ts';
import { SetupStop } from './stop.ts';

/** Cloudflare's code for a bucket that the account has already. */
const BUCKET_EXISTS = '10004';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const production = ['--env', 'production'] as const;

/** The id of the account's database with this name; null while there is none. */
export async function findDatabase(wrangler: Wrangler, name: string): Promise<string | null> {
  const listed = JSON.parse(await must(wrangler, 'd1', 'list', '--json')) as readonly {
    readonly name: string;
    readonly uuid: string;
  }[];
  return listed.find((one) => one.name === name)?.uuid ?? null;
}

/** Creates a database and returns its id. */
export async function createDatabase(wrangler: Wrangler, name: string): Promise<string> {
  const [id] = UUID.exec(await must(wrangler, 'd1', 'create', name, ...production)) ?? [];
  if (id === undefined) throw new SetupStop(`Wrangler created ${name} but told no id. Run again.`);
  return id;
}

/** Creates the bucket unless the account has it. Returns whether it was created. */
export async function ensureBucket(wrangler: Wrangler, name: string): Promise<boolean> {
  const { ok, output } = await wrangler.run('r2', 'bucket', 'create', name, ...production);
  if (ok) return true;
  if (output.includes(`[code: ${BUCKET_EXISTS}]`)) return false;
  throw failed(['r2', 'bucket', 'create', name], output);
}

/** Brings a database up to date. */
export async function migrateDatabase(wrangler: Wrangler, binding: string): Promise<void> {
  await must(wrangler, 'd1', 'migrations', 'apply', binding, '--remote', ...production);
}

/** The names of the Worker's secrets; null while there is no Worker. */
export async function secretNames(wrangler: Wrangler): Promise<ReadonlySet<string> | null> {
  const { ok, stdout, output } = await wrangler.run('secret', 'list', ...production);
  if (ok) {
    const listed = JSON.parse(stdout) as readonly { readonly name: string }[];
    return new Set(listed.map(({ name }) => name));
  }
  // Anything else does not mean that there are none: making new ones could replace the old.
  if (/Worker ".*" .*not found\./.test(output)) return null;
  throw failed(['secret', 'list'], output);
}

/** Deploys the Worker with its new secrets, in the terminal: wrangler asks before it takes a domain over. */
export async function deployWorker(wrangler: Wrangler, secretsFile: string): Promise<void> {
  const done = await wrangler.show('deploy', ...production, '--secrets-file', secretsFile);
  if (!done) throw new SetupStop('Wrangler did not deploy; it says why above. Run this again.');
}

/** Runs one SQL text on the database and returns the rows of its first statement. */
export async function query<Row>(wrangler: Wrangler, sql: string): Promise<readonly Row[]> {
  const execute = ['d1', 'execute', 'DB', '--remote', '--yes', '--json', ...production] as const;
  const answer = JSON.parse(await must(wrangler, ...execute, '--command', sql)) as readonly {
    readonly results: readonly Row[];
  }[];
  return answer[0]?.results ?? [];
}

/** Runs a command and returns its output. Stops, with what wrangler said, if it fails. */
async function must(wrangler: Wrangler, ...args: string[]): Promise<string> {
  const { ok, stdout, output } = await wrangler.run(...args);
  if (ok) return stdout;
  throw failed(args.slice(0, 3), output);
}

function failed(args: readonly string[], output: string): SetupStop {
  return new SetupStop(`“wrangler ${args.join(' ')}” failed. Run this again after mending it.

${output}`);
}
