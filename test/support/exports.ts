/** Exports as the tests make, fetch and read them. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { seeded } from '../../scripts/seed.ts';
import type { Variant } from '../../src/exports/rules/variants.ts';
import type { RunBody } from './answers.ts';
import { atTime, callAsAdmin, http, testEnv } from './api.ts';
import { eventually } from './eventually.ts';

/** Makes a file now and waits for it. */
export async function makeExport(variant: Variant, portfolio?: string): Promise<RunBody> {
  const begun = await callAsAdmin('/admin/v1/export/run', { variant, portfolio });
  if (begun.status !== 200) throw new Error(`no run: ${JSON.stringify(begun.json)}`);
  return endOfRun(begun.json.runId);
}

/** Makes a file at a time that lies ahead, when no alarm rings by itself. */
export function makeExportAt(atMs: number, variant: Variant, portfolio?: string): Promise<RunBody> {
  return atTime(atMs, async () => {
    const begun = await callAsAdmin('/admin/v1/export/run', { variant, portfolio });
    return ringUntilOver(begun.json.runId);
  });
}

/** Rings a run's alarm until the run is over. */
export async function ringUntilOver(runId: string): Promise<RunBody> {
  for (let rings = 0; rings < 10; rings += 1) {
    await runDurableObjectAlarm(testEnv.EXPORTER.getByName(runId));
    const run = await findRun(runId);
    if (run.status !== 'Running') return run;
  }
  throw new Error('the run never ended');
}

/** A run as the list shows it. */
export async function findRun(runId: string): Promise<RunBody> {
  const { json } = await callAsAdmin('/admin/v1/export/list', { limit: 200 });
  const run = json.runs.find((one) => one.runId === runId);
  if (!run) throw new Error('there is no such run');
  return run;
}

/** Waits until a run is over. */
export function endOfRun(runId: string): Promise<RunBody> {
  return eventually(async () => {
    const run = await findRun(runId);
    if (run.status === 'Running') throw new Error('the run never ended');
    return run;
  });
}

/** Who fetches. */
export interface ExportUser {
  readonly username: string;
  readonly password: string;
}

/** Fetches an export, by default as the seeded export user. */
export function fetchExport(
  query: string,
  init: RequestInit = {},
  { username, password }: ExportUser = seeded.analyst,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Basic ${btoa(`${username}:${password}`)}`);
  return http(`/export?${query}`, { ...init, headers });
}

/** The lines of a file as JSON. */
export function linesOf(file: string): unknown[] {
  if (file === '') return [];
  if (!file.endsWith('\n')) throw new Error('the last line does not end');
  return file
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** Makes a file and gives back its lines. */
export async function exported(variant: Variant): Promise<unknown[]> {
  await makeExport(variant);
  return linesOf(await (await fetchExport(`${variant}=1`)).text());
}
