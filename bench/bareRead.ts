import { type Cursor, type Source, START } from '../src/exports/rules/pages.ts';
import type { PagesRead, PagesWanted } from './yardstick/pages.ts';

/** One read of all pages of a file. */
export interface BareRead {
  /** Rows of pages: applications, or bookings of the PMS. */
  readonly rows: number;
  readonly elapsedMs: number;
}

/** Reads all pages of a file with the yardstick, in several requests. */
export async function readBare(
  yardstick: URL,
  source: Source,
  signal: AbortSignal,
): Promise<BareRead> {
  const startedMs = performance.now();
  let rows = 0;
  let after: Cursor | null = START;
  while (after !== null) {
    const read: PagesRead = await requestPages(yardstick, { source, after }, signal);
    rows += read.rows;
    after = read.next;
  }
  return { rows, elapsedMs: performance.now() - startedMs };
}

/** Writes a file of this size to R2 and reads it, with the yardstick. Returns the milliseconds. */
export async function moveBare(
  yardstick: URL,
  bytes: number,
  signal: AbortSignal,
): Promise<number> {
  const startedMs = performance.now();
  await post(new URL('/parts', yardstick), { bytes }, signal);
  return performance.now() - startedMs;
}

async function requestPages(
  yardstick: URL,
  wanted: PagesWanted,
  signal: AbortSignal,
): Promise<PagesRead> {
  return JSON.parse(await post(new URL('/pages', yardstick), wanted, signal)) as PagesRead;
}

async function post(url: URL, body: object, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the yardstick answered ${response.status}: ${text}`);
  return text;
}
