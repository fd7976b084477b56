import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { root, wranglerBin, wranglerEnvironment } from '../../scripts/environment.ts';
import { prepareState, withDatabase } from '../../scripts/prepare.ts';
import { digestSecret } from '../../src/clients/secrets.ts';
import { stateFolder } from './client.ts';

const scratch = stateFolder();
afterAll(scratch.remove);

const toml = readFileSync(path.join(root, 'wrangler.toml'), 'utf8');

describe('wrangler.toml', () => {
  it('never sets local mode, a gateway or a secret', () => {
    expect(toml).not.toMatch(/^\s*(LOCAL_MODE|KEYRING|GATEWAY)\b/m);
  });

  it('announces the rate limits that it sets', () => {
    const limits = [...toml.matchAll(/simple = \{ limit = (\d+), period = 10 \}/g)].map(
      (m) => m[1],
    );
    const announced = [...toml.matchAll(/^RATE_LIMIT_PER_10_SECONDS = "(\d+)"/gm)].map((m) => m[1]);
    expect(limits).toEqual(['100000', '1000']);
    expect(announced).toEqual(limits);
  });

  it.each(['', 'production'])(
    'makes a deployable bundle for the environment "%s"',
    async (name) => {
      const out = mkdtempSync(path.join(scratch.path, 'bundle-'));
      const run = promisify(execFile);
      const deploy = ['deploy', '--dry-run', '--outdir', out, `--env=${name}`];
      const { stdout } = await run(process.execPath, [wranglerBin, ...deploy], {
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

/** Runs one of the project's scripts to its end. */
function script(name: string, ...args: string[]) {
  const options = { cwd: root, env: wranglerEnvironment(), encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [`scripts/${name}.ts`, ...args], options);
}

describe('npm run bootstrap', () => {
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

  it('takes no name that could be more than one', () => {
    expect(script('bootstrap', '--id', "x'); DROP TABLE clients; --").status).toBe(1);
  });
});

describe('npm run deploy', () => {
  it('touches nothing while the settings of production are missing, and says which', () => {
    const { status, stdout, stderr } = script('deploy');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('[[env.production.d1_databases]]');
    expect(stderr).toContain('GATEWAY');
  });
});
