import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillExportData } from '../../scripts/exportData.ts';
import { prepareState, withDatabase } from '../../scripts/prepare.ts';
import { seeded } from '../../scripts/seed.ts';
import { freePort, type Service, startService } from '../../scripts/service.ts';
import type { RunBody } from '../support/answers.ts';
import { eventually } from '../support/eventually.ts';
import { isLong } from '../support/long.ts';
import { ALONE, Client, stateFolder } from './client.ts';

/** Three parts of a file. */
const CUSTOMERS = 12_000;

const state = stateFolder();
let service: Service | null = null;
let client: Client;

beforeAll(async () => {
  await prepareState(state.path);
  const data = { property: seeded.property, currency: 'AUD', customers: CUSTOMERS };
  await withDatabase(state.path, (d1) => fillExportData(d1, data));
  await start({ entry: path.join(import.meta.dirname, 'holdingExports.ts') });
});

afterAll(async () => {
  await service?.kill();
  state.remove();
});

async function start(options: { entry?: string } = {}): Promise<void> {
  service = await startService({
    port: await freePort(),
    persistTo: state.path,
    prepared: true,
    crons: false,
    ...options,
  });
  client = new Client(service.url);
}

async function begin(): Promise<string> {
  const body = { variant: 'propertySystem' };
  return (await client.call('/admin/v1/export/run', body, { admin: true })).json.runId;
}

/** Looks at a run again and again until something holds of it. */
function until(runId: string, holds: (run: RunBody) => boolean): Promise<RunBody> {
  return eventually(async () => {
    const { json } = await client.call('/admin/v1/export/list', {}, { admin: true });
    const run = json.runs.find((one) => one.runId === runId);
    if (run && holds(run)) return run;
    throw new Error('it never held');
  });
}

/** Kills the service in the middle of a run, with a part of its file stored. */
async function cutOff(): Promise<string> {
  const runId = await begin();
  await eventually(async () => {
    const answer = await fetch(`${service?.url}/held`);
    expect(await answer.json()).toEqual({ held: true });
  });
  await service?.kill();
  return runId;
}

function request(headers: Record<string, string> = {}): Promise<Response> {
  const Authorization = `Basic ${btoa('analyst:analyst-secret')}`;
  return fetch(`${service?.url}/export?propertySystem=1`, {
    headers: { Authorization, ...ALONE, ...headers },
  });
}

async function fetchFile(): Promise<string> {
  const response = await request();
  expect(response.status).toBe(200);
  return response.text();
}

describe.runIf(isLong)('the service, killed while it writes an export', () => {
  it('resumes after a restart, and writes the same bytes as an uninterrupted run', async () => {
    const cut = await cutOff();
    await start();
    const resumed = await until(cut, ({ status }) => status !== 'Running');
    expect(resumed).toMatchObject({ status: 'Complete', rows: CUSTOMERS });
    const file = await fetchFile();
    expect(file.split('\n')).toHaveLength(CUSTOMERS + 1);

    const whole = await begin();
    const uncut = await until(whole, ({ status }) => status !== 'Running');
    expect([uncut.sha256, uncut.bytes]).toEqual([resumed.sha256, resumed.bytes]);
    expect((await fetchFile()) === file).toBe(true);
  });

  it('compresses a file once, and only for a client that accepts it', async () => {
    const plain = await request({ 'Accept-Encoding': 'identity' });
    const zipped = await request({ 'Accept-Encoding': 'gzip' });
    expect(['Content-Encoding', 'Vary'].map((name) => plain.headers.get(name))).toEqual([
      null,
      'Accept-Encoding',
    ]);
    expect(['Content-Encoding', 'Vary'].map((name) => zipped.headers.get(name))).toEqual([
      'gzip',
      'Accept-Encoding',
    ]);
    expect(zipped.headers.get('ETag')).not.toBe(plain.headers.get('ETag'));
    // Node has undone the compression.
    expect((await zipped.text()) === (await plain.text())).toBe(true);
  });

  it('answers 304 to a client that has the file, although the client asks caches for a fresh one', async () => {
    const { headers, body } = await request({ Range: 'bytes=0-0' });
    // A body that nobody reads holds a connection, which may break while the next request uses it.
    await body?.cancel();
    // Node and browsers add `Cache-Control: no-cache` to a condition of one's own.
    const again = await request({ 'If-None-Match': headers.get('ETag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});
