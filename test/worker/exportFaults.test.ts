/**
 * A run cut off at each place where it leaves the object's memory: what is published in the end is the same as if
 * nothing had happened.
 */
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fillExportData } from '../../scripts/exportData.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { startRuns } from '../../src/exports/actions.ts';
import type { ExportObject } from '../../src/exports/object.ts';
import type { Variant } from '../../src/exports/rules/variants.ts';
import { Database } from '../../src/platform/db/database.ts';
import { type SpanName, Trace } from '../../src/platform/trace.ts';
import type { RunBody } from '../support/answers.ts';
import { atTime, call, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { fetchExport, findRun } from '../support/exports.ts';
import {
  breakSpan,
  type Crossed,
  faultKinds,
  placesOf,
  spansOf,
  withFault,
} from '../support/faults.ts';
import { isLong, someOf } from '../support/long.ts';

/** Six applications of about a megabyte each: two parts, the second of which begins in the middle of a row. */
const APPLICATIONS = 6;

beforeAll(async () => {
  const token = await makeProperty('small', { portfolio: 'small', cardFeeBasisPoints: 300 });
  // Three postings: what the card pays, what the stay brings, and the fee.
  await makeBooking('PAID', GOOD, { token });
  await call('/payment/v1/create', { reference: 'PAID', amount: 100 }, { token });
  await fillExportData(testEnv.DB, {
    property: 'small',
    currency: 'AUD',
    customers: 3,
    first: 100,
  });
  await testEnv.DB.batch([
    testEnv.DB.prepare("INSERT INTO contacts VALUES (1, 'demo', 'guest@hotel.com', 0)"),
    testEnv.DB.prepare(
      "INSERT INTO customers (id, property_id, contact_id, created_at_ms) VALUES (1, 'demo', 1, 0)",
    ),
    ...Array.from({ length: APPLICATIONS }, (_, index) =>
      testEnv.DB.prepare(
        `INSERT INTO applications (id, property_id, customer_id, booking_type, application_number, contact_id, email,
           current_status, currency, user_agent, created_at_ms, updated_at_ms)
         VALUES (?1, 'demo', 1, 'Online', 'APP-' || ?1, 1, 'guest@hotel.com', 'Tentative', 'AUD', ?2, 0, 0)`,
      ).bind(index + 1, '🎓é'.repeat(160_000 + index)),
    ),
  ]);
});

afterEach(async () => {
  const { objects } = await testEnv.EXPORTS.list();
  await testEnv.EXPORTS.delete(objects.map(({ key }) => key));
});

/** Begins a run whose object nobody tells of it: the test rings its alarm. */
async function begin(variant: Variant, portfolio = 'default'): Promise<string> {
  const database = new Database(testEnv.DB, new Trace());
  const wanted = { portfolio, variant, cause: 'admin' } as const;
  const [runId = ''] = await startRuns(database, [wanted], Date.now());
  await runInDurableObject(stubOf(runId), (_object, state) => state.storage.put('run', runId));
  return runId;
}

function stubOf(runId: string) {
  return testEnv.EXPORTER.getByName(runId);
}

/** Rings the alarm of a run's object once. */
async function ring(runId: string): Promise<void> {
  await runInDurableObject(stubOf(runId), (object: ExportObject) => object.alarm());
}

/** Rings until the run is over, and once more, as an alarm does that is still set. */
async function finish(runId: string): Promise<RunBody> {
  for (let rings = 0; rings < 4; rings += 1) {
    if ((await findRun(runId)).status !== 'Running') break;
    await ring(runId);
  }
  await ring(runId);
  return findRun(runId);
}

/** What a run came to: what it says, what R2 has of it, and what its object still holds. */
async function outcomeOf(runId: string): Promise<unknown> {
  const run = await findRun(runId);
  const { objects } = await testEnv.EXPORTS.list();
  const kept = await runInDurableObject(stubOf(runId), async (_object, state) => ({
    keys: [...(await state.storage.list()).keys()],
    alarm: await state.storage.getAlarm(),
  }));
  const { status, rows, bytes, sha256 } = run;
  const sizes = objects.filter(({ key }) => key.includes(runId)).map(({ size }) => size);
  return { status, rows, bytes, sha256, sizes, kept };
}

const seen = new Set<SpanName>();

/**
 * The customers' file goes on with a line that is open; the other one is a simpler case of it. Between two trace
 * nothing outlives the object's memory: a crash before one is a crash after the one before it.
 */
const cases = [
  { variant: 'propertySystem', kind: 'crash after', rows: 1 },
  { variant: 'propertySystem', kind: 'fails', rows: 1 },
  { variant: 'propertySystem', kind: 'answer lost', rows: 1 },
  { variant: 'applicationConsole', kind: 'crash after', rows: APPLICATIONS },
] as const;

describe.runIf(isLong)('a run', () => {
  it.each(cases)(
    'of $variant comes to the same file at whichever boundary: $kind',
    async ({ variant, kind, rows }) => {
      const clean = await begin(variant);
      const crossed = await spansOf(() => ring(clean));
      for (const { boundary } of crossed) seen.add(boundary);
      const right = await outcomeOf(clean);
      expect(right).toMatchObject({ status: 'Complete', rows, kept: { keys: [], alarm: null } });
      const answer = await fetchExport(`${variant}=1`);
      const file = new Uint8Array(await answer.arrayBuffer());
      expect(right).toMatchObject({
        bytes: file.length,
        sizes: [file.length],
        sha256: await digest(file),
      });

      const kinds = cases.filter((one) => one.variant === variant).map((one) => one.kind);
      const wrong: string[] = [];
      for (const { index, boundary } of placesOf(kind, crossed.filter(ofParts), 1, kinds)) {
        const runId = await begin(variant);
        await withFault(index, kind, () => ring(runId));
        const published = await fetchExport(`${variant}=1`, { method: 'HEAD' });
        if (published.headers.get('Content-Length') !== String(file.length)) {
          wrong.push(`${kind} at ${index} ${boundary}: a part was published`);
        }
        await finish(runId);
        const outcome = await outcomeOf(runId);
        if (JSON.stringify(outcome) !== JSON.stringify(right)) {
          wrong.push(`${kind} at ${index} ${boundary}: ${JSON.stringify(outcome)}`);
        }
        await testEnv.EXPORTS.delete((await testEnv.EXPORTS.list()).objects.map(({ key }) => key));
      }
      expect(wrong).toEqual([]);
    },
  );
});

/** What a file of less than a part does not cross as well. */
function ofParts({ boundary }: Crossed): boolean {
  return !['d1.export.find', 'd1.export.publish', 'storage.alarm'].includes(boundary);
}

async function digest(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', content)).toHex();
}

describe.runIf(isLong)('the spanNames of a run', () => {
  it('are all tried', () => {
    expect([...seen].toSorted()).toEqual([
      'd1.export.checkpoint',
      'd1.export.find',
      'd1.export.page',
      'd1.export.publish',
      'r2.complete',
      'r2.create',
      'r2.part',
      'r2.read',
      'storage.alarm',
      'storage.checkpoint',
    ]);
  });
});

describe.runIf(isLong)('a file of less than a part', () => {
  const cases = (['propertySystem', 'ledger'] as const).flatMap((variant) =>
    someOf(faultKinds, 2).map((kind) => ({ variant, kind })),
  );

  it.each(cases)(
    'of $variant comes to the same at whichever boundary: $kind',
    async ({ variant, kind }) => {
      const clean = await begin(variant, 'small');
      const crossed = await spansOf(() => ring(clean));
      expect(crossed.map(({ boundary }) => boundary)).toContain('r2.put');
      const right = await outcomeOf(clean);
      expect(right).toMatchObject({ status: 'Complete', rows: 3 });
      for (const { index } of placesOf(kind, crossed)) {
        const runId = await begin(variant, 'small');
        await withFault(index, kind, () => ring(runId));
        await finish(runId);
        expect(await outcomeOf(runId)).toEqual(right);
      }
    },
  );
});

/** The multipart upload of a run, as its object knows it. */
async function uploadOf(runId: string, state: DurableObjectState) {
  const checkpoint = await state.storage.get<{ uploadId: string }>('checkpoint');
  const objectKey = await testEnv.DB.prepare('SELECT object_key FROM export_runs WHERE id = ?')
    .bind(runId)
    .first<string>('object_key');
  return { objectKey: objectKey ?? '', uploadId: checkpoint?.uploadId ?? '' };
}

describe.runIf(isLong)('what does not get any further', () => {
  it('is tried again and again, given up after twelve hours, and leaves nothing behind', async () => {
    const runId = await begin('applicationConsole');
    const mend = breakSpan('r2.complete');
    const startMs = Date.now();
    for (const hours of [0, 1, 11]) {
      await atTime(startMs + hours * HOUR_MS, () => ring(runId));
      expect(await findRun(runId)).toMatchObject({ status: 'Running' });
    }
    await atTime(startMs + 13 * HOUR_MS, () => ring(runId));
    mend();
    const run = await findRun(runId);
    expect(run).toMatchObject({ status: 'Failed', sha256: null });
    expect(run.failure).toContain('out of reach');
    expect(await outcomeOf(runId)).toMatchObject({ sizes: [], kept: { keys: [], alarm: null } });
    await ring(runId);
    expect((await findRun(runId)).status).toBe('Failed');
  });

  it('is given up as well when it was cut off each time, and nothing said why', async () => {
    const runId = await begin('applicationConsole');
    const startMs = Date.now();
    const pageOf = (await spansOf(async () => ring(await begin('applicationConsole')))).find(
      ({ boundary }) => boundary === 'd1.export.page',
    );
    for (const hours of [0, 1, 13]) {
      await atTime(startMs + hours * HOUR_MS, () =>
        withFault(pageOf?.index ?? 0, 'crash after', () => ring(runId)),
      );
      expect(await findRun(runId)).toMatchObject({ status: 'Running' });
    }
    await atTime(startMs + 14 * HOUR_MS, () => ring(runId));
    expect(await findRun(runId)).toMatchObject({
      status: 'Failed',
      failure: 'the platform interrupted the work',
    });
  });

  it('goes on after a day in which nobody rang', async () => {
    const runId = await begin('applicationConsole');
    const startMs = Date.now();
    await atTime(startMs, () => withFault(3, 'crash after', () => ring(runId)));
    await atTime(startMs + 24 * HOUR_MS, () => ring(runId));
    expect((await findRun(runId)).status).toBe('Complete');
  });

  it('goes on although its failure could not be recorded', async () => {
    const runId = await begin('applicationConsole');
    const mend = breakSpan(['r2.complete', 'd1.export.checkpoint']);
    await ring(runId);
    mend();
    expect(await findRun(runId)).toMatchObject({ status: 'Running', failure: null });
    expect((await finish(runId)).status).toBe('Complete');
  });

  it('is made from its beginning when R2 has lost the upload', async () => {
    const runId = await begin('applicationConsole');
    const mend = breakSpan('r2.complete');
    await ring(runId);
    mend();
    const { objectKey, uploadId } = await runInDurableObject(stubOf(runId), (_object, state) =>
      uploadOf(runId, state),
    );
    await testEnv.EXPORTS.resumeMultipartUpload(objectKey, uploadId).abort();
    await ring(runId);
    expect((await findRun(runId)).status).toBe('Running');
    expect((await finish(runId)).status).toBe('Complete');
  });

  it('is not given up as long as it gets on', async () => {
    const runId = await begin('applicationConsole');
    const startMs = Date.now();
    const early = breakSpan('r2.part');
    await atTime(startMs, () => ring(runId));
    early();
    const late = breakSpan('r2.complete');
    await atTime(startMs + 13 * HOUR_MS, () => ring(runId));
    late();
    expect(await findRun(runId)).toMatchObject({ status: 'Running' });
    expect((await finish(runId)).status).toBe('Complete');
  });

  it('has its alarm set ever later, ten minutes at most', async () => {
    const runId = await begin('applicationConsole');
    const mend = breakSpan('d1.export.page');
    const startMs = Date.now();
    const waits: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const atMs = startMs + tries * HOUR_MS;
      await atTime(atMs, () => ring(runId));
      const alarm = await runInDurableObject(stubOf(runId), (_object, state) =>
        state.storage.getAlarm(),
      );
      waits.push(Math.round(((alarm ?? 0) - atMs) / 1_000));
    }
    mend();
    expect(waits).toEqual([5, 30, 120, 600, 600, 600]);
    expect((await finish(runId)).status).toBe('Complete');
  });
});
