/** `npm run setup` against stand-ins for Cloudflare's and Stripe's APIs. What it deploys runs in workerd. */
import { execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectConfig, root } from '../../scripts/environment.ts';
import { isLong, sampleOf } from '../support/long.ts';
import { stateFolder } from './client.ts';
import { CloudflareServer } from './cloudflareServer.ts';
import { StripeWebhooks } from './stripeWebhooks.ts';

const scratch = stateFolder();
afterAll(scratch.remove);

const ADDRESS = 'https://pay.hotel.com';
const WEBHOOK = `${ADDRESS}/gateway/v1/stripe`;
const place = ['--currency', 'AUD', '--time-zone', 'Australia/Perth'];
const flags = ['--address', 'pay.hotel.com', '--hotel', 'Hôtel du Lac', ...place];
const onStripe = {
  STRIPE_SECRET_KEY: 'sk_live_good',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_good',
};

let cloudflare: CloudflareServer;
let stripe: StripeWebhooks;
let config: string;

/** Accounts at Cloudflare and Stripe for the tests that stand beside this: each goes on where the one before it ended. */
function onNewAccounts(): void {
  beforeAll(async () => {
    cloudflare = new CloudflareServer();
    stripe = new StripeWebhooks();
    await Promise.all([cloudflare.start(), stripe.start()]);
    config = copyOfConfig();
  });

  afterAll(async () => {
    await cloudflare.stop();
    stripe.stop();
    expect(cloudflare.unknown).toEqual([]);
  });
}

/** A copy of the project's wrangler.toml, whose paths lead back to the project. */
function copyOfConfig(): string {
  const file = path.join(mkdtempSync(path.join(scratch.path, 'config-')), 'wrangler.toml');
  const toml = readFileSync(projectConfig, 'utf8')
    .replace('"dist/worker/index.js"', JSON.stringify(path.join(root, 'dist/worker/index.js')))
    .replaceAll('"./scripts/', `"${root}/scripts/`)
    .replaceAll('"./dist/', `"${root}/dist/`)
    .replaceAll('"./node_modules/', `"${root}/node_modules/`)
    .replaceAll('"./public"', JSON.stringify(path.join(root, 'public')))
    .replaceAll('"migrations"', JSON.stringify(path.join(root, 'migrations')))
    // The tests copied the files already.
    .replace(/^build = .*$/m, '');
  writeFileSync(file, toml);
  return file;
}

interface Ran {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs the command to its end, in a process group of its own. `began` gets the group's number. */
function setup(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  began: (group: number) => void = () => undefined,
): Promise<Ran> {
  const reached = [...args, '--reach', cloudflare.service];
  return run('scripts/setup.ts', reached, variables, began);
}

/** Runs a script of the project on the account. */
async function run(
  script: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  began: (group: number) => void = () => undefined,
): Promise<Ran> {
  const home = path.join(scratch.path, 'home');
  mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [script, ...args, '--config', config], {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      // Wrangler remembers the account.
      WRANGLER_CACHE_DIR: path.join(home, 'cache'),
      CLOUDFLARE_API_TOKEN: 'good-token',
      CLOUDFLARE_API_BASE_URL: cloudflare.api,
      STRIPE_API_BASE: stripe.url,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) began(child.pid);
  const closed = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, output: `${out}${err}` };
}

/** The secrets that production's Worker has. */
function secrets(): Record<string, string> {
  return Object.fromEntries(cloudflare.secrets.get('booking-payments') ?? []);
}

/** Clients that are not revoked: how many administrators, and how many of the hotel. */
async function clients() {
  const [counts] = await cloudflare.rows<{ administrators: number; engines: number }>(
    `SELECT count(*) FILTER (WHERE property_id IS NULL) AS administrators,
      count(*) FILTER (WHERE property_id = 'hotel-du-lac') AS engines
      FROM clients WHERE revoked_at_ms IS NULL`,
  );
  return counts;
}

/** The commands of the first charge, sent to where the service really is. */
function firstCharge(output: string): string {
  const commands = /^base=[\s\S]*/m.exec(output)?.[0] ?? '';
  return commands.replace(`base=${ADDRESS}`, `base=${cloudflare.service}`);
}

/** What the commands print. They run beside this process, which plays the APIs. */
async function shell(commands: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', commands]);
  return stdout;
}

/** The databases that the deployed version is bound to. */
function boundDatabases(): string[] {
  const bindings = cloudflare.versions.at(-1) ?? [];
  return bindings.filter(({ type }) => type === 'd1').map(({ name }) => name);
}

/** So many databases of the account have the same tables. */
async function expectTables(number: number): Promise<void> {
  const query = "SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table'";
  const found = await Promise.all(
    cloudflare.databases.map(({ name }) => cloudflare.rows<{ tables: number }>(query, name)),
  );
  const counts = found.map(([row]) => row?.tables ?? 0);
  expect(counts).toEqual(Array(number).fill(counts[0]));
  expect(counts[0]).toBeGreaterThan(50);
}

async function eventStatus(secret: string): Promise<number> {
  const event = { id: 'evt_1', object: 'event', type: 'customer.created', data: { object: {} } };
  const payload = JSON.stringify(event);
  const header = await new Stripe('sk').webhooks.generateTestHeaderStringAsync({ payload, secret });
  const sent = { method: 'POST', headers: { 'Stripe-Signature': header }, body: payload };
  return (await fetch(`${cloudflare.service}/gateway/v1/stripe`, sent)).status;
}

describe.runIf(isLong)('npm run setup', () => {
  onNewAccounts();

  it('says what it would do with --dry-run, and changes nothing', async () => {
    const before = readFileSync(config, 'utf8');
    const { code, output } = await setup([...flags, '--dry-run']);
    expect([code, output]).toEqual([0, expect.stringContaining('Nothing was changed.')]);
    expect(output).toContain('make it, and apply the migrations');
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect([cloudflare.versions, cloudflare.secrets.size]).toEqual([[], 0]);
  });

  it('stops before it changes anything where a person has to act', async () => {
    const missing = await setup(['--hotel', 'Lac']);
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('Give --address')]);
    const nobody = await setup(flags, { CLOUDFLARE_API_TOKEN: 'bad-token' });
    expect([nobody.code, nobody.output]).toEqual([1, expect.stringContaining('wrangler login')]);
    expect(cloudflare.changes).toEqual([]);

    stripe.add(WEBHOOK);
    const theirs = await setup(flags, onStripe);
    expect([theirs.code, theirs.output]).toEqual([1, expect.stringContaining('secret put')]);
    expect([stripe.endpoints.length, cloudflare.versions.length]).toEqual([1, 0]);
  });
});

describe.runIf(isLong)('npm run setup, with the sandbox', () => {
  onNewAccounts();

  it('makes three databases, and takes an empty account to a first charge', async () => {
    const before = secretsFiles();
    const { code, output } = await setup([...flags, '--gateway', 'sandbox', '--databases', '3']);
    expect([code, output]).toEqual([0, expect.stringContaining('A first charge')]);
    expect(boundDatabases()).toEqual(['DB', 'DB2', 'DB3']);
    expect(await clients()).toEqual({ administrators: 1, engines: 1 });
    expect(secretsFiles()).toEqual(before);
    expect(await shell(firstCharge(output))).toContain('"type":"PaymentManual"');
  });

  it('changes nothing the second time', async () => {
    const state = () => [readFileSync(config, 'utf8'), [...cloudflare.changes], secrets()];
    const before = state();
    const again = await setup([]);
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('<client id>')]);
    expect(state()).toEqual(before);
  });

  it('binds a database that is added, with its tables', async () => {
    const added = await run('scripts/databases.ts', ['add']);
    expect([added.code, added.output]).toEqual([0, expect.stringContaining('DB4 is bound.')]);
    const status = await run('scripts/databases.ts', ['status']);
    expect(status.code).toBe(0);
    expect(status.output.match(/^DB\d?$/gm)?.toSorted()).toEqual(['DB', 'DB2', 'DB3', 'DB4']);
    expect(status.output.match(/No migrations to apply/g)).toHaveLength(4);
    await expectTables(4);
  });

  it('makes no second KEYRING for a database with records', async () => {
    cloudflare.secrets.clear();
    const lost = await setup([]);
    expect([lost.code, lost.output]).toEqual([1, expect.stringContaining('has no KEYRING')]);
    const own = `k9:${Buffer.alloc(32, 7).toString('base64')}`;
    expect((await setup(['--databases', '4'], { KEYRING: own })).code).toBe(0);
    expect(secrets()).toEqual({ KEYRING: own });
  });

  it('deployed the added database with that', async () => {
    expect(boundDatabases()).toEqual(['DB', 'DB2', 'DB3', 'DB4']);
    const health = await (await fetch(`${cloudflare.service}/health`)).json();
    expect(health).toMatchObject({ success: true, databases: 'ok' });
  });
});

describe.runIf(isLong)('npm run setup, with Stripe', () => {
  onNewAccounts();

  /** All that it printed. */
  let printed = '';

  // One of the places, which a sample draws.
  it('goes on where it was cut off, wherever that was', async () => {
    let group = 0;
    const made = new Set<string>();
    const cuts = sampleOf(
      Array.from({ length: 20 }, (_, index) => index),
      20,
    );
    const cut = (change: string) => {
      const kind = /^query (?!INSERT)/.test(change) ? 'migration' : change;
      if (made.has(kind)) return;
      if (cuts.includes(made.size)) process.kill(-group, 'SIGKILL');
      made.add(kind);
    };
    cloudflare.onChange = cut;
    stripe.onChange = cut;
    let last: Ran = { code: null, output: '' };
    let keyring: string | undefined;
    for (let runs = 0; last.code === null && runs < 30; runs += 1) {
      last = await setup(flags, onStripe, (pid) => {
        group = pid;
      });
      printed += last.output;
      keyring ??= secrets()['KEYRING'];
    }
    expect([last.code, last.output]).toEqual([0, expect.stringContaining('A first charge.')]);
    expect([...made]).toEqual(
      expect.arrayContaining([
        'database booking-payments',
        'bucket booking-exports',
        'migration',
        'webhook endpoint',
        'version of booking-payments',
        'domains pay.hotel.com',
        'query INSERT INTO clients',
        '/admin/v1/property/put',
        '/admin/v1/client/create',
        '/admin/v1/client/revoke',
      ]),
    );
    expect(secrets()['KEYRING']).toBe(keyring);
    expect([cloudflare.databases.length, cloudflare.buckets.length]).toEqual([1, 1]);
    expect(stripe.endpoints.filter(({ url }) => url === WEBHOOK)).toHaveLength(1);
    expect(await cloudflare.rows('SELECT id FROM properties')).toEqual([{ id: 'hotel-du-lac' }]);
    expect(await clients()).toMatchObject({ administrators: 1 });
    const booked = await shell(bookingOf(firstCharge(last.output)));
    expect(booked).toContain(`"url":"${ADDRESS}/guest/`);
  });

  it('gives each version its secrets, and shows none', async () => {
    const kept = secrets();
    expect(Object.keys(kept).toSorted()).toEqual([
      'KEYRING',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
    ]);
    expect(kept).toMatchObject({ STRIPE_SECRET_KEY: 'sk_live_good' });
    for (const version of cloudflare.versions) {
      expect(version).toContainEqual(expect.objectContaining({ name: 'KEYRING' }));
    }
    for (const secret of Object.values(kept)) expect(printed).not.toContain(secret);

    expect(await eventStatus(kept['STRIPE_WEBHOOK_SECRET'] ?? '')).toBe(200);
    expect(await eventStatus('whsec_other')).toBe(400);
  });
});

describe.runIf(isLong)('npm run databases -- migrate', () => {
  onNewAccounts();

  /** Waves of them are the rules' test. */
  const DATABASES = 3;

  const nameOf = (number: number) =>
    number === 1 ? 'booking-payments' : `booking-payments-${number}`;

  /** Databases of the account without tables, each bound in the file. */
  function bindEmpty(): void {
    const migrations = JSON.stringify(path.join(root, 'migrations'));
    for (let number = 1; number <= DATABASES; number += 1) {
      // The file's own first one has the id 0.
      const uuid = `00000000-0000-0000-0000-${String(number - 1).padStart(12, '0')}`;
      cloudflare.databases.push({ name: nameOf(number), uuid });
      if (number === 1) continue;
      const lines = [
        '\n[[env.production.d1_databases]]',
        `binding = "DB${number}"`,
        `database_name = "${nameOf(number)}"`,
        `database_id = "${uuid}"`,
        `migrations_dir = ${migrations}\n`,
      ];
      appendFileSync(config, lines.join('\n'));
    }
  }

  const migrate = () => run('scripts/databases.ts', ['migrate']);

  it('says which one fails, and goes on once that is mended', async () => {
    bindEmpty();
    await cloudflare.rows('CREATE TABLE properties (id)', nameOf(2));
    const failed = await migrate();
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('DB2 failed')]);
    expect(failed.output.match(/^DB\d* failed$/gm)).toEqual(['DB2 failed']);
    expect(failed.output.match(/^DB\d*$/gm)?.toSorted()).toEqual(['DB', 'DB3']);
    expect(failed.output).toContain('properties` already exists');
    expect(failed.output).toContain('it goes on where it stopped.');

    await cloudflare.rows('DROP TABLE properties', nameOf(2));
    const mended = await migrate();
    expect([mended.code, mended.output]).toEqual([0, expect.not.stringContaining('failed')]);
    await expectTables(DATABASES);
  });
});

/** The commands up to the address of the guest's page. */
function bookingOf(commands: string): string {
  return commands.split('\n\nThen charge')[0] ?? '';
}

/** The files of secrets that runs left behind: one that is killed may leave its own. */
function secretsFiles(): string[] {
  return readdirSync(path.join(root, '.wrangler/tmp')).filter((name) => name.startsWith('setup-'));
}
