import { createScheduledController } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { fillExportData, offlineBookings } from '../../scripts/exportData.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { startRuns } from '../../src/exports/actions.ts';
import { ExportObject } from '../../src/exports/object.ts';
import { sweepExports } from '../../src/exports/sweep.ts';
import worker from '../../src/index.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { Database, queries } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { noteMove } from '../../src/records/applications/store.ts';
import { applications } from '../../src/schema/applicationTables.ts';
import type { RunBody } from '../support/answers.ts';
import { atTime, callAsAdmin, makeProperty, testEnv } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { applicationConsoleLine, propertySystemLine } from '../support/exportRecords.ts';
import {
  endOfRun,
  fetchExport,
  findRun,
  linesOf,
  makeExport,
  makeExportAt,
  ringUntilOver,
} from '../support/exports.ts';
import { breakSpan } from '../support/faults.ts';
import { isLong } from '../support/long.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

const PART_BYTES = 5 * 1024 * 1024;

async function runs(of: Record<string, unknown> = {}): Promise<RunBody[]> {
  return (await callAsAdmin('/admin/v1/export/list', of)).json.runs;
}

async function fill(customers: number, first = 1): Promise<void> {
  await fillExportData(testEnv.DB, { property: 'demo', currency: 'AUD', customers, first });
}

async function fileOf(query: string): Promise<string> {
  return (await fetchExport(query)).text();
}

describe('a file of many pages and parts', () => {
  it.runIf(isLong)(
    'has every customer once with all their bookings, and every application once',
    async () => {
      const customers = 6_000;
      await fill(customers);
      const system = await makeExport('propertySystem');
      expect(system).toMatchObject({
        status: 'Complete',
        rows: customers,
        expectedRows: customers,
      });
      expect(system.bytes).toBeGreaterThan(PART_BYTES);
      const lines = linesOf(await fileOf('propertySystem=1')).map((line) =>
        propertySystemLine.parse(line),
      );
      const bookings = lines.flatMap((line) => line.bookings);
      expect(lines).toHaveLength(customers);
      expect(bookings).toHaveLength(customers + offlineBookings(customers));
      expect(
        new Set(bookings.map(({ applicationNumber, bookingId }) => applicationNumber ?? bookingId))
          .size,
      ).toBe(bookings.length);
      expect(lines.every((line) => line.bookings[0]?.bookingType === 'Online')).toBe(true);

      const console = await makeExport('applicationConsole');
      expect(console.rows).toBe(customers);
      const applications = linesOf(await fileOf('applicationConsole=1')).map((line) =>
        applicationConsoleLine.parse(line),
      );
      expect(new Set(applications.map(({ applicationNumber }) => applicationNumber)).size).toBe(
        customers,
      );
    },
  );

  it('is made again to the same bytes over the same data', async () => {
    await fill(500);
    const first = await makeExport('propertySystem');
    const second = await makeExport('propertySystem');
    expect([second.sha256, second.bytes]).toEqual([first.sha256, first.bytes]);
    expect(second.runId).not.toBe(first.runId);
  });

  it('goes over gaps of ids that are longer than a page looks at', async () => {
    await fill(5);
    await fill(5, 70_001);
    expect((await makeExport('propertySystem')).rows).toBe(10);
    expect((await makeExport('applicationConsole')).rows).toBe(10);
  });

  it('of a portfolio has only that one’s, however many others there are', async () => {
    await fill(50);
    await makeProperty('north', { portfolio: 'northern' });
    await fillExportData(testEnv.DB, {
      property: 'north',
      currency: 'AUD',
      customers: 7,
      first: 51,
    });
    expect((await makeExport('propertySystem', 'northern')).rows).toBe(7);
    expect((await makeExport('applicationConsole', 'northern')).rows).toBe(7);
    expect((await makeExport('propertySystem')).rows).toBe(50);
  });

  it('has what was there when its run began, and nothing that came later', async () => {
    await fill(20);
    const runId = await startSlowly();
    await fill(20, 21);
    await testEnv.EXPORTER.getByName(runId).begin(runId);
    expect((await endOfRun(runId)).rows).toBe(20);
  });

  it('has each application where it was when its run began, whoever it goes to meanwhile', async () => {
    await fill(1_200);
    await makeExport('propertySystem');
    const right = await bookingsOfLines();
    const runId = await startSlowly();
    const mend = breakSpan('d1.export.page', 2);
    await testEnv.EXPORTER.getByName(runId).begin(runId);
    await held(runId);
    const read = await customerOf(300);
    const ahead = await customerOf(1_150);
    // To one whose line is written and to one whose line is not, from both; and back again, and on to another.
    await moveTo(300, ahead);
    await moveTo(1_150, read);
    await moveTo(1_100, read);
    await moveTo(1_100, ahead);
    const home = await customerOf(1_000);
    await moveTo(1_000, read);
    await moveTo(1_000, home);
    mend();
    await testEnv.EXPORTER.getByName(runId).begin(runId);
    expect((await endOfRun(runId)).status).toBe('Complete');
    expect(await bookingsOfLines()).toEqual(right);
    expect(await countOf('customer_moves')).toBe(0);
  });

  it('keeps no moves when no run goes on', async () => {
    await fill(2);
    await moveTo(1, 2);
    expect(await countOf('customer_moves')).toBe(0);
  });

  it('has a customer with more bookings than a page, on one line', async () => {
    await fill(1_100);
    await testEnv.DB.prepare(
      'UPDATE applications SET customer_id = 1000, version = version + 1',
    ).run();
    expect((await makeExport('propertySystem')).rows).toBe(1);
    const [line] = linesOf(await fileOf('propertySystem=1'));
    const { bookings } = propertySystemLine.parse(line);
    expect(bookings).toHaveLength(await countOf('applications'));
  });
});

/** Begins a run of which its object is not told yet. */
async function startSlowly(atMs = Date.now()): Promise<string> {
  const database = new Database(testEnv.DB, new Trace());
  const wanted = { portfolio: 'default', variant: 'propertySystem', cause: 'admin' } as const;
  const [runId = ''] = await startRuns(database, [wanted], atMs);
  return runId;
}

/** Which bookings stand together on a line, line by line. */
async function bookingsOfLines(): Promise<unknown[]> {
  const lines = linesOf(await fileOf('propertySystem=1'));
  return lines.map((line) => propertySystemLine.parse(line).bookings);
}

/** Waits until something holds a run up. */
async function held(runId: string): Promise<void> {
  await eventually(async () => expect((await findRun(runId)).failure).not.toBeNull());
}

async function moveTo(applicationId: number, customerId: number): Promise<void> {
  await new Database(testEnv.DB, new Trace()).batch('d1.application.save', [
    noteMove({ id: applicationId }, sql`${customerId}`),
    queries
      .update(applications)
      .set({ customerId, version: sql`version + 1` })
      .where(eq(applications.id, applicationId)),
  ]);
}

async function customerOf(applicationId: number): Promise<number> {
  const id = await testEnv.DB.prepare('SELECT customer_id FROM applications WHERE id = ?')
    .bind(applicationId)
    .first<number>('customer_id');
  return id ?? 0;
}

async function countOf(table: string): Promise<number> {
  return (
    (await testEnv.DB.prepare(`SELECT count(*) AS count FROM ${table}`).first<number>('count')) ?? 0
  );
}

/** A day later than the seeds, some time after the daily files are due. */
const YESTERDAY = new Date().toISOString().slice(0, 10);
const TODAY = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
const AFTER_MS = Date.parse(TODAY) + 11 * MINUTE_MS;
const BEFORE_MS = Date.parse(TODAY) + 9 * MINUTE_MS;

const sweep = (atMs: number) =>
  atTime(atMs, async () => sweepExports(testEnv, await requireConfig(testEnv), atMs));

describe('the daily run', () => {
  it('is begun once a variant and portfolio from 00:10 UTC on, and becomes the file of the day', async () => {
    await makeProperty('north', { portfolio: 'northern' });
    expect(await sweep(BEFORE_MS)).toBe(0);
    expect(await sweep(AFTER_MS)).toBe(6);
    const begun = await atTime(AFTER_MS, () => runs());
    expect(begun.map(({ variant, date, cause }) => [variant, date, cause])).toEqual(
      expect.arrayContaining([
        ['propertySystem', TODAY, 'daily'],
        ['applicationConsole', TODAY, 'daily'],
        ['ledger', YESTERDAY, 'daily'],
      ]),
    );
    for (const { runId } of begun) {
      const run = await atTime(AFTER_MS, () => ringUntilOver(runId));
      expect(run.status).toBe('Complete');
    }
    expect(await sweep(AFTER_MS + HOUR_MS)).toBe(0);
    expect((await fetchExport(`propertySystem=1&date=${TODAY}`)).status).toBe(200);
  });

  it('is one when the Cron Triggers fire many times at once', async () => {
    await atTime(AFTER_MS, async () => {
      await Promise.all(
        ['* * * * *', '10 0 * * *', '10 0 * * *'].map((cron) =>
          worker.scheduled(
            createScheduledController({ cron, scheduledTime: new Date(AFTER_MS) }),
            testEnv,
          ),
        ),
      );
      expect(await runs()).toHaveLength(3);
    });
  });

  it('is made good by the frequent trigger, hours later as well', async () => {
    const lateMs = AFTER_MS + 20 * HOUR_MS;
    expect(await sweep(lateMs)).toBe(3);
    expect(await sweep(lateMs + DAY_MS)).toBeGreaterThanOrEqual(2);
    const begun = await atTime(lateMs, () => runs());
    const days = new Set(
      begun.filter(({ variant }) => variant !== 'ledger').map(({ date }) => date),
    );
    expect(days.size).toBe(2);
  });

  it('was not missed by a portfolio that is younger than its time', async () => {
    const now = new Date();
    const dailyMs = Date.parse(now.toISOString().slice(0, 10)) + 10 * MINUTE_MS;
    const bornMs = Math.max(now.getTime(), dailyMs + MINUTE_MS);
    await testEnv.DB.prepare('UPDATE properties SET created_at_ms = ?, version = version + 1')
      .bind(bornMs)
      .run();
    expect(await sweep(bornMs + MINUTE_MS)).toBe(0);
  });

  it('that failed is begun anew', async () => {
    await sweep(AFTER_MS);
    await testEnv.DB.prepare("UPDATE export_runs SET status = 'Failed', due_at_ms = NULL").run();
    expect(await sweep(AFTER_MS + MINUTE_MS)).toBe(3);
    expect(await sweep(AFTER_MS + 2 * MINUTE_MS)).toBe(0);
  });

  it('whose object was never told is found by the sweep', async () => {
    const begin = vi.spyOn(ExportObject.prototype, 'begin').mockRejectedValue(new Error('lost'));
    await sweep(AFTER_MS);
    begin.mockRestore();
    expect(await sweep(AFTER_MS + MINUTE_MS)).toBe(0);
    expect(await sweep(AFTER_MS + 3 * MINUTE_MS)).toBe(3);
    for (const { runId } of await atTime(AFTER_MS, () => runs())) {
      expect((await atTime(AFTER_MS, () => ringUntilOver(runId))).status).toBe('Complete');
    }
  });
});

describe('the file of a day', () => {
  it('is the last complete run of it: a later one replaces it, an earlier one does not', async () => {
    await fill(3);
    const slow = await startSlowly(Date.now() - 1_000);
    await fill(3, 4);
    const quick = await makeExport('propertySystem');
    expect(linesOf(await fileOf('propertySystem=1'))).toHaveLength(6);
    await testEnv.EXPORTER.getByName(slow).begin(slow);
    expect((await endOfRun(slow)).rows).toBe(3);
    expect(linesOf(await fileOf('propertySystem=1'))).toHaveLength(6);
    await fill(1, 7);
    await makeExport('propertySystem');
    expect(linesOf(await fileOf('propertySystem=1'))).toHaveLength(7);
    const object = await testEnv.EXPORTS.list();
    expect(object.objects.map(({ key }) => key).some((key) => key.includes(quick.runId))).toBe(
      true,
    );
  });

  it('is removed after its keeping time, with its run and its object, and no other is', async () => {
    const days = (count: number) => AFTER_MS + count * DAY_MS;
    const make = (day: number) => makeExportAt(days(day), 'applicationConsole');
    const first = await make(0);
    const second = await make(1);
    expect(await sweep(days(400))).toBeGreaterThan(0);
    expect(await keys()).toContain(first.runId);
    expect(await sweep(days(401))).toBeGreaterThan(0);
    expect(await keys()).not.toContain(first.runId);
    expect(await keys()).toContain(second.runId);
    const left = (await runs()).map(({ runId }) => runId);
    expect(left).not.toContain(first.runId);
    expect(left).toContain(second.runId);
    expect((await fetchExport(`applicationConsole=1&date=${first.date}`)).status).toBe(404);
    expect((await fetchExport(`applicationConsole=1&date=${second.date}`)).status).toBe(200);
  });

  it('is removed the day after if that failed, and is out of sight from the beginning', async () => {
    const first = await makeExportAt(AFTER_MS, 'applicationConsole');
    const mend = breakSpan('r2.delete');
    await expect(sweep(AFTER_MS + 401 * DAY_MS)).rejects.toThrow();
    mend();
    expect(await keys()).toContain(first.runId);
    expect((await fetchExport(`applicationConsole=1&date=${first.date}`)).status).toBe(404);
    await sweep(AFTER_MS + 402 * DAY_MS);
    expect(await keys()).not.toContain(first.runId);
  });
});

async function keys(): Promise<string> {
  const { objects } = await testEnv.EXPORTS.list();
  return objects.map(({ key }) => key).join('\n');
}

describe('the list of runs', () => {
  it('is newest first, by portfolio and variant, in pages', async () => {
    await makeProperty('north', { portfolio: 'northern' });
    const made = [
      await makeExport('propertySystem'),
      await makeExport('applicationConsole'),
      await makeExport('propertySystem', 'northern'),
    ].map(({ runId }) => runId);
    expect((await runs()).map(({ runId }) => runId)).toEqual(made.toReversed());
    expect((await runs({ variant: 'propertySystem' })).map(({ runId }) => runId)).toEqual([
      made[2],
      made[0],
    ]);
    expect((await runs({ portfolio: 'northern' })).map(({ runId }) => runId)).toEqual([made[2]]);
    const page = await callAsAdmin('/admin/v1/export/list', { limit: 2 });
    expect(page.json.runs.map(({ runId }) => runId)).toEqual([made[2], made[1]]);
    const next = await callAsAdmin('/admin/v1/export/list', {
      limit: 2,
      cursor: page.json.nextCursor,
    });
    expect([next.json.runs.map(({ runId }) => runId), next.json.nextCursor]).toEqual([
      [made[0]],
      null,
    ]);
  });

  it.each([
    ['/admin/v1/export/run', {}, ['variant']],
    ['/admin/v1/export/run', { variant: 'both', portfolio: '' }, ['portfolio', 'variant']],
    [
      '/admin/v1/export/list',
      { limit: 0, cursor: 'x', variant: 5 },
      ['cursor', 'limit', 'variant'],
    ],
  ])('%s refuses %o', async (path, body, fields) => {
    const answer = await callAsAdmin(path, body);
    const named = answer.json.errors.map(({ field }) => field).toSorted();
    expect([answer.status, named]).toEqual([422, fields]);
  });

  it('shows how far a run is while it goes on, and what holds it up', async () => {
    await fill(6_000);
    const mend = breakSpan('d1.export.page', 14);
    const { json } = await callAsAdmin('/admin/v1/export/run', { variant: 'propertySystem' });
    const { runId } = json;
    await held(runId);
    const run = await findRun(runId);
    mend();
    expect(run).toMatchObject({ status: 'Running', bytes: PART_BYTES, sha256: null });
    expect(run.failure).toContain('out of reach');
    expect(run.rows).toBeGreaterThan(1_000);
    expect(run.rows).toBeLessThan(6_000);
    expect(Math.abs(run.expectedRows - 6_000)).toBeLessThan(1_200);
    await testEnv.EXPORTER.getByName(runId).begin(runId);
    expect(await endOfRun(runId)).toMatchObject({ status: 'Complete', rows: 6_000, failure: null });
  });
});
