/** Reconciliation as tests run it and look at it. */

import type { GatewayMovement } from '../../src/gateways/movements.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { sweepReconciliation } from '../../src/reconciliation/sweep.ts';
import type { DashboardAction } from '../../src/sandbox/acquirer/dashboard.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { type Answer, atTime, callAsAdmin, testEnv } from './api.ts';
import { MOVEMENTS } from './history.ts';

/** An exception as the list shows it. */
export interface ShownException {
  readonly exceptionId: string;
  readonly property: string | null;
  readonly reference: string | null;
  readonly kind: string;
  readonly ours: object | null;
  readonly theirs: object | null;
  readonly status: string;
  readonly resolution: string | null;
  readonly resolvedAt: string | null;
  readonly detail: string;
}

/** What a comparison that was asked for came to. */
export interface Counts {
  readonly compared: number;
  readonly corrected: number;
  readonly exceptions: number;
}

const DAY_MS = 86_400_000;

/** Asks for the comparison of a property's last and next day. */
export function askToCompare(property = 'demo', atMs = Date.now()): Promise<Answer> {
  const from = new Date(atMs - DAY_MS).toISOString();
  const to = new Date(atMs + DAY_MS).toISOString();
  return callAsAdmin('/admin/v1/reconciliation/run', { property, from, to });
}

/** Compares a property's last and next day, to the end. */
export async function compare(property = 'demo', atMs = Date.now()): Promise<Counts> {
  const { json, status } = await askToCompare(property, atMs);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  const { compared, corrected, exceptions } = json as unknown as Counts;
  return { compared, corrected, exceptions };
}

/** All exceptions, the newest first. */
export async function exceptionsNow(filter: object = {}): Promise<ShownException[]> {
  const { json } = await callAsAdmin('/admin/v1/reconciliation/list', filter);
  return (json as unknown as { exceptions: ShownException[] }).exceptions;
}

/** Reconciles as the Cron Trigger does, at some time. */
export function sweepAtTime(atMs: number): Promise<number> {
  return atTime(atMs, async () => sweepReconciliation(testEnv, await requireConfig(testEnv), atMs));
}

/** What a person does at the sandbox acquirer's own desk, without its telling anybody. */
export async function atDesk(act: DashboardAction, atMs = Date.now()): Promise<void> {
  const done = await sandboxAcquirer(testEnv).act(act, atMs, false);
  if (done.kind !== 'done') throw new Error(`${act.action}: ${done.kind}`);
}

/** Everything that reconciling can change, as D1 has it. */
export async function recordsNow(): Promise<Record<string, unknown>> {
  const tables = ['transactions', 'refunds', 'disputes', 'exceptions', 'history'];
  const reading = tables.map((table) => testEnv.DB.prepare(`SELECT * FROM ${table}`));
  // How far the delivery of a message is changes beside.
  const messages = testEnv.DB.prepare('SELECT message_id, message_type, payload FROM outbox');
  const read = await testEnv.DB.batch([...reading, messages]);
  return Object.fromEntries([...tables, 'outbox'].map((table, at) => [table, read[at]?.results]));
}

/** How many rows the journal has, and how many of them were found at the acquirer. */
export async function journalNow(): Promise<{ rows: number; reconciled: number }> {
  const counted = await testEnv.DB.prepare(
    `SELECT count(*) AS rows, count(reconciled_at_ms) AS reconciled FROM ${MOVEMENTS}`,
  ).first<{ rows: number; reconciled: number }>();
  return counted ?? { rows: 0, reconciled: 0 };
}

/** The acquirer's movements. */
export async function movementsNow(): Promise<readonly GatewayMovement[]> {
  const everything = { account: null, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, cursor: null };
  const page = await sandboxAcquirer(testEnv).movements(everything);
  return page.kind === 'page' ? page.movements : [];
}
