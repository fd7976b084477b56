import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../seed.ts';
import type { Variant } from './expectations.ts';

/** How long a run may take. */
const LONGEST_RUN_MS = 300_000;

interface Run {
  readonly runId: string;
  readonly status: 'Running' | 'Complete' | 'Failed';
  readonly rows: number;
  readonly expectedRows: number;
}

/** Makes a file now, reports its progress, and returns its number of rows. */
export async function makeExport(
  url: string,
  variant: Variant,
  progress: (done: string) => void,
): Promise<number> {
  const token = await adminToken(url);
  const { runId } = await post<{ runId: string }>(url, token, '/admin/v1/export/run', { variant });
  const untilMs = Date.now() + LONGEST_RUN_MS;
  while (Date.now() < untilMs) {
    const { runs } = await post<{ runs: Run[] }>(url, token, '/admin/v1/export/list', { variant });
    const run = runs.find((one) => one.runId === runId);
    if (run?.status === 'Failed') break;
    if (run) progress(`${run.status}, ${run.rows} of ${run.expectedRows} rows`);
    if (run?.status === 'Complete') return run.rows;
    await sleep(500);
  }
  throw new Error(`The export of ${variant} did not complete in time.`);
}

/** Fetches the newest file, as an analyst does. */
export async function fetchExport(
  url: string,
  variant: Variant,
): Promise<{ readonly body: ReadableStream }> {
  const response = await fetch(`${url}/export?${variant}=1`, {
    headers: { Authorization: `Basic ${btoa('analyst:analyst-secret')}` },
  });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`the export of ${variant} answered ${response.status}`);
  }
  return { body: response.body as unknown as ReadableStream };
}

function adminToken(url: string): Promise<string> {
  return tokenOf(url, seeded.admin);
}

/** An access token of a client. */
export async function tokenOf(
  url: string,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<string> {
  const response = await fetch(`${url}/auth/v1/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Posts JSON, and returns the answer's. Throws for any status but success. */
export async function post<T>(url: string, token: string, route: string, body: object): Promise<T> {
  const response = await fetch(`${url}${route}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
