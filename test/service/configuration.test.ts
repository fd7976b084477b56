import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { root, wranglerBin, wranglerEnvironment } from '../../scripts/environment.ts';
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
