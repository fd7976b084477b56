import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { root, wranglerEnvironment, wranglerProgram } from '../../scripts/environment.ts';
import { prepareState, withDatabase } from '../../scripts/prepare.ts';
import { digestSecret } from '../../src/records/clients/secrets.ts';
import { isLong } from '../support/long.ts';
import { stateFolder } from './client.ts';

const scratch = stateFolder();
afterAll(scratch.remove);

const run = promisify(execFile);

const toml = readFileSync(path.join(root, 'wrangler.toml'), 'utf8');

describe('wrangler.toml', () => {
  it('never sets local mode, a gateway or a secret', () => {
    expect(toml).not.toMatch(/^\s*(LOCAL_MODE|KEYRING|GATEWAY)\b/m);
  });

  it('announces the rate limits that it sets', () => {
    const limiter = /^name = "CLIENT_RATE_LIMIT"\n.*\nsimple = \{ limit = (\d+), period = 10 \}$/gm;
    const announced = /^RATE_LIMIT_PER_10_SECONDS = "(\d+)"$/gm;
    // The local environment, then production.
    const limits = ['100000', '1000'];
    expect([...toml.matchAll(limiter)].map((found) => found[1])).toEqual(limits);
    expect([...toml.matchAll(announced)].map((found) => found[1])).toEqual(limits);
  });

  it.runIf(isLong).each(['', 'production'])(
    'makes a deployable bundle for the environment "%s"',
    async (name) => {
      const out = mkdtempSync(path.join(scratch.path, 'bundle-'));
      const deploy = ['deploy', '--dry-run', '--outdir', out, `--env=${name}`];
      const { stdout } = await run(process.execPath, [...wranglerProgram, ...deploy], {
        cwd: root,
        env: wranglerEnvironment(),
      });
      expect(stdout).toContain('env.BOOKINGS (BookingObject)');
      expect(stdout).not.toMatch(/LOCAL_MODE|KEYRING/);
      const bundle = readFileSync(path.join(out, 'index.js'), 'utf8');
      expect(bundle).toContain('manage-payments');
      expect(bundle).not.toMatch(/demo-secret|admin-secret|bG9jYWwtZGV2/);
    },
  );
});

/** One request to Cloudflare's API. */
interface Asked {
  readonly authorization: string | undefined;
  readonly path: string;
  readonly body: string;
}

/** Cloudflare's API, as far as a statement for D1 needs it, and what it was asked. */
function playCloudflare() {
  const asked: Asked[] = [];
  const account = { id: 'account', name: 'Hotel' };
  // Of accounts, and of memberships.
  const accounts = [{ ...account, account }];
  const rows = [{ success: true, results: [], meta: { duration: 1 } }];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { headers, url: asks = '' } = request;
    asked.push({ authorization: headers.authorization, path: asks, body: await textOf(request) });
    const result = asks.endsWith('/query') ? rows : accounts;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
  };
  const cloudflare = createServer((request, response) => void answer(request, response));
  return { asked, cloudflare };
}

/** A home folder in which wrangler has signed in. */
function signedIn(token: string): string {
  const home = path.join(scratch.path, 'home');
  const folder = path.join(home, '.config/.wrangler/config');
  mkdirSync(folder, { recursive: true });
  const login = {
    oauth_token: token,
    expiration_time: '2100-01-01T00:00:00.000Z',
    refresh_token: 'none',
  };
  const lines = Object.entries(login).map(([name, value]) => `${name} = "${value}"`);
  const scopes = 'scopes = ["account:read", "user:read", "d1:write"]';
  writeFileSync(path.join(folder, 'default.toml'), [...lines, scopes, ''].join('\n'));
  return home;
}

/** Runs one of the project's scripts to its end. */
function script(name: string, ...args: string[]) {
  const options = { cwd: root, env: wranglerEnvironment(), encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [`scripts/${name}.ts`, ...args], options);
}

it.each(['bootstrap', 'setup'])('npm run %s tells what it does, and does nothing', (name) => {
  const { status, stdout, stderr } = script(name, '--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`^npm run ${name} .*flags`));
});

describe.runIf(isLong)('npm run bootstrap', () => {
  it('makes one administrator, whose secret is told once and stored nowhere', async () => {
    const state = path.join(scratch.path, 'bootstrap');
    await prepareState(state);
    const made = script('bootstrap', '--local', state, '--id', 'ops-1');
    expect([made.status, made.stderr]).toEqual([0, '']);
    const secret = /^Secret +(\S{43})$/m.exec(made.stdout)?.[1] ?? '';
    const again = script('bootstrap', '--local', state, '--id', 'ops-1');
    expect([again.status, again.stdout]).toEqual([1, '']);
    const rows = await withDatabase(state, async (d1) => {
      const { results } = await d1
        .prepare(
          "SELECT property_id, scopes, secret_digest, seeded FROM clients WHERE id = 'ops-1'",
        )
        .all<{ secret_digest: string }>();
      return results;
    });
    expect(rows).toMatchObject([{ property_id: null, scopes: '["admin"]', seeded: 0 }]);
    expect(await digestSecret(secret)).toBe(rows[0]?.secret_digest);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('is who `wrangler login` has signed in', async () => {
    const { asked, cloudflare } = playCloudflare();
    await new Promise<void>((resolve) => {
      cloudflare.listen(0, '127.0.0.1', resolve);
    });
    const { port } = cloudflare.address() as AddressInfo;
    const home = signedIn('the-token');
    try {
      const { XDG_CONFIG_HOME: _config, XDG_CACHE_HOME: _cache, ...own } = process.env;
      const api = `http://127.0.0.1:${port}/client/v4`;
      const env = {
        ...own,
        HOME: home,
        // Wrangler remembers the account: nobody's real one may be mistaken for it.
        WRANGLER_CACHE_DIR: path.join(home, 'cache'),
        CLOUDFLARE_API_BASE_URL: api,
      };
      const bootstrap = ['scripts/bootstrap.ts', '--id', 'ops-2'];
      const { stdout } = await run(process.execPath, bootstrap, { cwd: root, env });
      expect(stdout).toMatch(/^Administrator ops-2\nSecret +\S{43}\n/);
      expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(
        new Set(['Bearer the-token']),
      );
      const query = asked.find(({ path: asks }) => asks.endsWith('/query'));
      const secret = /^Secret +(\S{43})$/m.exec(stdout)?.[1] ?? '';
      expect(query?.body).toContain(await digestSecret(secret));
      expect(JSON.stringify(asked)).not.toContain(secret);
    } finally {
      cloudflare.close();
    }
  });

  it('takes no name that could be more than one', () => {
    expect(script('bootstrap', '--id', "x'); DROP TABLE clients; --").status).toBe(1);
  });
});

describe('npm run deploy', () => {
  it.runIf(isLong)(
    'asks who is signed in before the tests, and says what to do when nobody is',
    async () => {
      const config = path.join(scratch.path, 'complete.toml');
      const complete = toml
        .replaceAll('00000000-0000-0000-0000-000000000000', randomUUID())
        .replace(
          '[env.production.vars]',
          '[env.production.vars]\nGATEWAY = "sandbox"\nPUBLIC_BASE_URL = "https://pay.hotel.com"',
        )
        .replace('[env.production]\nname', '[env.production]\nworkers_dev = true\nname')
        .replace(/^workers_dev = false\n(?=\n\[env)/m, '');
      writeFileSync(config, complete);
      const home = mkdtempSync(path.join(scratch.path, 'nobody-'));
      const { CLOUDFLARE_API_TOKEN: _, ...own } = wranglerEnvironment();
      const env = {
        ...own,
        HOME: home,
        XDG_CONFIG_HOME: path.join(home, 'config'),
        WRANGLER_CACHE_DIR: path.join(home, 'cache'),
      };
      const deploy = ['scripts/deploy.ts', '--config', config];
      const { status, stdout, stderr } = spawnSync(process.execPath, deploy, {
        cwd: root,
        env,
        encoding: 'utf8',
      });
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toContain('Not deployed. Nobody is signed in to Cloudflare.');
      expect(stderr).toContain('npx wrangler login');
    },
  );

  it('touches nothing while the settings of production are missing, and says which', () => {
    const { status, stdout, stderr } = script('deploy');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('[[env.production.d1_databases]]');
    expect(stderr).toContain('GATEWAY');
    expect(stderr).toContain('[[env.production.routes]]');
  });
});
