import { DurableObject } from 'cloudflare:workers';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { Alarm } from '../platform/alarm.ts';
import { requireConfig } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { DatabaseUnavailable, describeError } from '../platform/db/errors.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import type { ExportRunRow } from '../schema/exportTables.ts';
import { deleteCopies } from './copies.ts';
import { type Checkpoint, ExportWriter, type PartList, START_OF_FILE } from './exportWriter.ts';
import { changeRun, endRun, forgetMoves, selectRun } from './store.ts';

/** The longest time and most steps of one alarm. The next alarm follows immediately, with fresh platform limits. */
const SLICE_MS = 20 * SECOND_MS;
const MOST_STEPS = 100;

/** When the alarm repeats a slice that was cut off. */
const SAFETY_NET_MS = 20 * SECOND_MS;

/** After this time without progress in D1, the sweep notifies the run's object again. */
const SILENCE_MS = 2 * MINUTE_MS;

/** The pause after each failed attempt; the last one repeats. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS] as const;

/** After this many failed attempts at one place, the file restarts from its beginning: R2 may have lost the upload. */
const ATTEMPTS_BEFORE_RESTART = 3;

/** A run fails after this time without progress, if it also made more than this many attempts. */
const FAIL_AFTER_MS = 12 * HOUR_MS;
const FEWEST_ATTEMPTS = 3;

const RUN = 'run';
const CHECKPOINT = 'checkpoint';
const PARTS = 'part:';
const RETRY = 'retry';

/** The attempts since the last progress; deleted on progress. */
interface RetryState {
  /** When the first of them started. */
  readonly sinceMs: number;
  readonly tries: number;
  /** Why the last one failed. */
  readonly failure: string;
}

interface Slice {
  readonly trace: Trace;
  readonly database: Database;
  readonly run: ExportRunRow;
}

/**
 * Writes one export file in slices, one for each alarm. Its storage holds the state of the file until the run ends.
 */
export class ExportObject extends DurableObject<Env> {
  readonly #alarm = new Alarm(this.ctx.storage);
  /** Continues from slice to slice; null after a failure or a restart. */
  #writer: ExportWriter | null = null;

  /** Starts or continues the run's file. */
  async begin(runId: string): Promise<void> {
    const nowMs = Date.now();
    await this.ctx.storage.put(RUN, runId);
    await this.#alarm.by(new Trace(), nowMs + 1, nowMs);
  }

  override async alarm(): Promise<void> {
    const trace = new Trace();
    let runId: string | undefined;
    try {
      await this.#alarm.at(trace, Date.now() + SAFETY_NET_MS);
      runId = await this.ctx.storage.get<string>(RUN);
      if (runId === undefined) await this.#deleteAll(trace);
      else await this.#continueRun(trace, runId);
    } catch (error) {
      // The platform drops an alarm that throws six times. This one has already set its successor.
      logError('export_failed', error, { runId });
    }
  }

  async #continueRun(trace: Trace, runId: string): Promise<void> {
    await requireConfig(this.env);
    const database = openDatabase(this.env, trace);
    const [[run]] = await database.batch('d1.export.find', [selectRun(runId)]);
    if (run?.status !== 'Running') return this.#deleteAll(trace);
    const slice = { trace, database, run };
    const { sinceMs, tries, failure } = await this.#countAttempt();
    if (Date.now() - sinceMs > FAIL_AFTER_MS && tries > FEWEST_ATTEMPTS) {
      return this.#failRun(slice, failure);
    }
    try {
      const state = await this.#writeSlice(slice);
      if (state === 'published') return await this.#deleteAll(trace);
      await this.ctx.storage.delete(RETRY);
      await this.#alarm.at(trace, Date.now() + 1);
    } catch (error) {
      await this.#onFailure(slice, error);
    }
  }

  /**
   * Counts a slice as a failed attempt before it starts, because a slice that is cut off cannot count itself. Progress
   * deletes the count.
   */
  async #countAttempt(): Promise<RetryState> {
    const before = await this.ctx.storage.get<RetryState>(RETRY);
    const first = { sinceMs: Date.now(), tries: 0, failure: 'the platform interrupted the work' };
    const retry = { ...(before ?? first), tries: (before?.tries ?? 0) + 1 };
    await this.ctx.storage.put(RETRY, retry);
    return retry;
  }

  /** Writes until the slice's limits are reached, and records the progress in D1. */
  async #writeSlice(slice: Slice): Promise<'unfinished' | 'published'> {
    const writer = this.#writer ?? (await this.#newWriter(slice));
    this.#writer = writer;
    const endMs = Date.now() + SLICE_MS;
    let recordedBytes = writer.progress.bytes;
    for (let step = 1; step <= MOST_STEPS; step += 1) {
      if ((await writer.step()) === 'published') return 'published';
      const isLast = step === MOST_STEPS || Date.now() >= endMs;
      const { progress } = writer;
      if (isLast || progress.bytes !== recordedBytes) {
        await recordProgress(slice, { ...progress, failure: null }, SILENCE_MS);
        recordedBytes = progress.bytes;
      }
      if (isLast) break;
    }
    await writer.flush();
    return 'unfinished';
  }

  async #newWriter({ trace, database, run }: Slice): Promise<ExportWriter> {
    const { storage } = this.ctx;
    const parts: PartList = {
      keep: (checkpoint, part) =>
        trace.span('storage.checkpoint', async () => {
          await storage.put({
            [CHECKPOINT]: checkpoint,
            ...(part && { [partKey(part.partNumber)]: part.etag }),
          });
          await storage.delete(RETRY);
        }),
      all: async () => {
        const kept = await storage.list<string>({ prefix: PARTS });
        return [...kept.values()].map((etag, index) => ({ partNumber: index + 1, etag }));
      },
    };
    const work = { database, trace, bucket: this.env.EXPORTS, parts };
    const checkpoint = await storage.get<Checkpoint>(CHECKPOINT);
    return new ExportWriter(work, run, checkpoint ?? START_OF_FILE);
  }

  /** Records a failed slice, and schedules the next attempt after a pause. */
  async #onFailure(slice: Slice, error: unknown): Promise<void> {
    const { trace, run } = slice;
    const { storage } = this.ctx;
    const progress = this.#writer?.progress;
    this.#writer = null;
    const failure = describeError(error);
    logError('export_setback', error, { runId: run.id });
    // The slice deletes the count on progress: then this is the first failed attempt at a new place.
    const counted = await storage.get<RetryState>(RETRY);
    const retry = { ...(counted ?? { sinceMs: Date.now(), tries: 1 }), failure };
    await storage.put(RETRY, retry);
    const pauseMs = PAUSES_MS[Math.min(retry.tries, PAUSES_MS.length) - 1] as number;
    await this.#alarm.at(trace, Date.now() + pauseMs);
    if (retry.tries % ATTEMPTS_BEFORE_RESTART === 0 && !(error instanceof DatabaseUnavailable)) {
      await this.#restartFile(trace, run);
    }
    await recordProgress(slice, { ...progress, failure }, pauseMs);
  }

  async #failRun({ trace, database, run }: Slice, failure: string): Promise<void> {
    const end = { status: 'Failed', failure, finishedAtMs: Date.now() } as const;
    await database.batch('d1.export.checkpoint', [endRun(run.id, end), forgetMoves()]);
    await deleteCopies(database, [run.id]);
    await this.#restartFile(trace, run);
    await this.#deleteAll(trace);
  }

  /** Aborts the upload and deletes the checkpoint. If the abort fails, R2 aborts the upload after seven days. */
  async #restartFile(trace: Trace, run: ExportRunRow): Promise<void> {
    const { storage } = this.ctx;
    const checkpoint = await storage.get<Checkpoint>(CHECKPOINT);
    const uploadId = checkpoint?.uploadId ?? null;
    if (uploadId !== null) {
      const upload = this.env.EXPORTS.resumeMultipartUpload(run.objectKey, uploadId);
      await trace.span('r2.delete', () => upload.abort()).catch(() => undefined);
    }
    const parts = await storage.list({ prefix: PARTS });
    await trace.span('storage.checkpoint', async () => {
      await storage.delete(CHECKPOINT);
      for (const key of parts.keys()) await storage.delete(key);
    });
  }

  async #deleteAll(trace: Trace): Promise<void> {
    this.#writer = null;
    // The alarm goes last: if this is cut off before, the alarm repeats it.
    await trace.span('storage.checkpoint', () => this.ctx.storage.deleteAll());
    await this.#alarm.off(trace);
  }
}

/** Padded, so that keys sort by number; R2 allows 10,000 parts. */
function partKey(partNumber: number): string {
  return `${PARTS}${String(partNumber).padStart(5, '0')}`;
}

/** Records a run's progress in D1. The sweep notifies the object again after `silenceMs` without another record. */
async function recordProgress(
  { database, run }: Slice,
  progress: Partial<ExportRunRow>,
  silenceMs: number,
): Promise<void> {
  const dueAtMs = Date.now() + silenceMs;
  await database.batch('d1.export.checkpoint', [changeRun(run.id, { ...progress, dueAtMs })]);
}
