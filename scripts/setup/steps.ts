/** The steps of `npm run setup`. Each looks first whether it is done, so that a run that was cut off goes on. */
import { addDatabase } from '../databases/add.ts';
import { loginProblem } from '../login.ts';
import type { Wrangler } from '../wrangler.ts';
import { type Answers, databaseChange, gatherAnswers } from './answers.ts';
import { createDatabase, deployWorker, ensureBucket, migrateDatabase } from './cloudflare.ts';
import { firstChargeText } from './firstCharge.ts';
import { ensureFirstRecords } from './firstRecords.ts';
import { sayPlan } from './plan.ts';
import { readSettings, writeSettings } from './production.ts';
import type { Given } from './questions.ts';
import { hasAdministrator } from './records.ts';
import { missingSecrets, type SecretSources } from './secrets.ts';
import { withSecretsFile } from './secretsFile.ts';
import { answers as isAnswering, untilAnswers } from './service.ts';
import { SetupStop } from './stop.ts';

/** What a run works with. */
export interface SetupRun extends SecretSources {
  readonly wrangler: Wrangler;
  /** The path of the `wrangler.toml` that is completed. */
  readonly config: string;
  readonly given: Given;
  /** How many databases the deployment has at least; the first one is there in any case. */
  readonly databases: number;
  /** `CLOUDFLARE_ACCOUNT_ID`. */
  readonly accountId: string | undefined;
  /** Another way to the deployed service than its public address; null for that. */
  readonly reach: string | null;
  readonly today: Date;
  /** Whether it only says what it would do. */
  readonly isDry: boolean;
  /** Tells the person at the terminal something. */
  readonly say: (line: string) => void;
}

/** Takes an account from its login to a first charge. Throws {@link SetupStop} where a person has to act. */
export async function setUp(run: SetupRun): Promise<void> {
  const { config, given, say, today, wrangler } = run;
  say('› Login');
  await requireLogin(run);
  if (run.isDry) return sayPlan(run);
  const answers = await gatherAnswers(wrangler, config, given);
  await ensureStorage(run, answers);
  const service = run.reach ?? answers.publicAddress;
  await ensureDeployed(run, answers, service);
  const { gateway, publicAddress: address } = answers;
  await ensureFirstRecords({
    wrangler,
    answers,
    service,
    say,
    show: (client) => say(firstChargeText({ address, client, gateway, today })),
  });
}

async function requireLogin({ accountId, config, wrangler }: SetupRun): Promise<void> {
  const settings = await readSettings(config);
  const problem = await loginProblem(wrangler, {
    fromEnvironment: accountId,
    fromConfig: settings.accountId,
  });
  if (problem !== null) throw new SetupStop(problem);
}

/** The databases, with their tables, and the bucket. */
async function ensureStorage(
  { config, databases, say, wrangler }: SetupRun,
  answers: Answers,
): Promise<void> {
  const { bucketName, databaseId, databaseName } = answers;
  say(`› Database ${databaseName}`);
  if (databaseId === null) {
    writeSettings(config, [databaseChange(await createDatabase(wrangler, databaseName))]);
  }
  say(`› Bucket ${bucketName}`);
  await ensureBucket(wrangler, bucketName);
  say('› Migrations');
  const { bindings } = await readSettings(config);
  for (const binding of bindings) await migrateDatabase(wrangler, binding);
  for (let number = bindings.length + 1; number <= databases; number += 1) {
    say(`› Database ${number} of ${databases}`);
    await addDatabase(wrangler, config, number);
  }
}

/** The Worker, with all its secrets from its first version on. */
async function ensureDeployed(run: SetupRun, answers: Answers, service: string): Promise<void> {
  const { config, databases, say, wrangler } = run;
  const { missing } = await readSettings(config);
  if (missing.length > 0) throw new SetupStop(`Complete ${config}:\n${missing.join('\n')}`);
  say('› Secrets');
  const secrets = await missingSecrets(answers, run);
  // Nothing says which databases the Worker knows: who names a number gets a deployment that knows all.
  const isAsAsked = Object.keys(secrets).length === 0 && !answers.changed && databases === 1;
  // Records come after a deployment that ended: the Worker of one that was cut off may answer, but lack its triggers.
  const isDone = isAsAsked && hasAdministrator(answers.records);
  if (isDone && (await isAnswering(service))) return;
  say('› Deployment');
  await withSecretsFile(secrets, (file) => deployWorker(wrangler, file));
  say(`› Waiting until ${service} answers`);
  await untilAnswers(service);
}
