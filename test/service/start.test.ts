import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/environment.ts';
import { freePort } from '../../scripts/service.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { isLong } from '../support/long.ts';
import { Client, stateFolder } from './client.ts';
import { NpmStart } from './npmStart.ts';
import { startStripe } from './stripeServer.ts';

const state = stateFolder();
const npm = new NpmStart(state.path);

afterAll(() => {
  npm.killAll();
  state.remove();
});

/** Sends a body in pieces that is larger than is taken: the connection after it must not suffer. */
async function refusesLargeBody(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}`;
  const issued = await fetch(`${url}/auth/v1/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('demo-engine:demo-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await issued.json()) as { access_token: string };
  const pieces = Readable.toWeb(
    Readable.from(Array.from({ length: 25 }, () => Buffer.alloc(4_096, 'x'))),
  );
  const response = await fetch(`${url}/booking/v1/get-details`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
    body: pieces as unknown as BodyInit,
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(413);
}

describe('npm start', () => {
  it('prints a curl that works, keeps its data, and leaves nothing behind on Ctrl-C or when npm is told to end', async () => {
    const port = await freePort();
    const first = await npm.start(port);
    expect(first.output()).toContain(`Ready at http://127.0.0.1:${port}`);
    const curl = /^ +(curl .*)$/m.exec(first.output())?.[1] ?? '';
    const token = JSON.parse(execFileSync('sh', ['-c', curl], { encoding: 'utf8' }));
    expect(token).toMatchObject({ success: true, token_type: 'Bearer' });
    for (const page of ['docs', 'console', 'ops', 'dev/mailbox', 'health']) {
      expect(first.output()).toContain(`http://127.0.0.1:${port}/${page}`);
    }
    expect(first.output()).toContain('manager@demo.localhost');
    const client = new Client(`http://127.0.0.1:${port}`);
    await client.booking('KEPT', '4242424242424242');
    await client.call('/payment/v1/create', { reference: 'KEPT', amount: 10 });
    await refusesLargeBody(port);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    expect(npm.processes().length).toBeGreaterThan(1);
    first.child.kill('SIGINT');
    await npm.end();
    await expect.poll(() => first.child.exitCode, { timeout: PATIENCE_MS }).toBe(0);

    const second = await npm.start(port, ['npm', 'start']);
    const again = new Client(`http://127.0.0.1:${port}`);
    expect(await again.transactions('KEPT')).toMatchObject([{ status: 'Accepted', amount: 10.31 }]);
    second.child.kill('SIGTERM');
    await npm.end();
    expect(readdirSync(first.home)).toEqual([]);
  });

  it.runIf(isLong)('leaves nothing behind when it is killed', async () => {
    const { child } = await npm.start(await freePort());
    child.kill('SIGKILL');
    await npm.end();
  });

  it.runIf(isLong)('charges through Stripe by the environment, and shows no secret', async () => {
    const stripe = await startStripe();
    const port = await freePort();
    const { child } = await npm.start(port, undefined, {
      GATEWAY: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_$HOME',
      STRIPE_WEBHOOK_SECRET: 'whsec_unseen',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_API_BASE: stripe.url,
    });
    const client = new Client(`http://127.0.0.1:${port}`);
    await client.booking('BY-ENVIRONMENT', '4242424242424242');
    const [asked] = stripe.stripe.calls;
    expect(asked?.headers.get('authorization')).toBe('Bearer sk_test_$HOME');
    expect(npm.processes().join('\n')).not.toMatch(/sk_test_|whsec_/);
    child.kill('SIGINT');
    await npm.end();
    await stripe.stop();
  });

  it('says so when its port is in use or is none, and when Stripe lacks a key', async () => {
    const { createServer } = await import('node:http');
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const run = (value: string, variables = {}) =>
      new Promise<string>((resolve) => {
        const child = spawn(process.execPath, ['scripts/start.ts'], {
          cwd: root,
          env: { ...process.env, PORT: value, PERSIST_TO: state.path, ...variables },
        });
        let text = '';
        child.stderr.on('data', (chunk) => {
          text += String(chunk);
        });
        child.on('close', (code) => resolve(`${code} ${text}`));
      });
    expect(await run(String(port))).toMatch(/^1 Port \d+ is in use/);
    expect(await run('none')).toMatch(/^1 PORT must be a number/);
    expect(await run('8787', { GATEWAY: 'stripe' })).toMatch(/^1 .* needs STRIPE_SECRET_KEY/);
    expect(await run('8787', { GATEWAY: 'paypal' })).toMatch(/^1 GATEWAY must be/);
    server.close();
  });
});
