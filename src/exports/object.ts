import { DurableObject } from 'cloudflare:workers';
import { requireConfig } from '../config.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { Database } from '../db/database.ts';
import { DatabaseUnavailable, describeError } from '../db/errors.ts';
import type { ExportRunRow } from '../db/exportTables.ts';
import type { Env } from '../env.ts';
import { Alarm } from '../io/alarm.ts';
import { Crossings } from '../io/crossings.ts';
import { logError } from '../io/log.ts';
import { type Checkpoint, Making, NOTHING_MADE, type PartList } from './make.ts';
import { endRun, forgetMoves, type RunProgress, selectRun, updateProgress } from './store.ts';

/** The calls of a run's object, as others make them. */
export interface ExporterCalls {
  /** Makes the run's file, or goes on with it. */
  begin(runId: string): Promise<void>;
}

/** How long and how many steps one alarm works; the next goes on at once, with the platform's limits of one call anew. */
const SLICE_MS = 20 * SECOND_MS;
const MOST_STEPS = 100;

/** When a run that was cut off is gone on with. */
const SAFETY_NET_MS = 20 * SECOND_MS;

/** Whoever makes a file is taken for lost when nothing is heard for this long. */
const SILENCE_MS = 2 * MINUTE_MS;

/** What follows each failure; the last one again and again. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS] as const;

/** After so many tries at one place, the file is made from its beginning: R2 may have lost the upload. */
const TRIES_BEFORE_ANEW = 3;

/** A run that gets no further for this long, and was tried more often than this, is given up. */
const GIVE_UP_MS = 12 * HOUR_MS;
const FEWEST_TRIES = 3;

const RUN = 'run';
const CHECKPOINT = 'checkpoint';
const PARTS = 'part:';
const TROUBLE = 'trouble';

/** Slices of work that did not get on: since when, how many, and what was last said of it. */
interface Trouble {
  readonly sinceMs: number;
  readonly tries: number;
  readonly failure: string;
}

/**
 * Makes one export file, by its alarm. What it holds is how far the file has come; once the run is over, nothing is
 * left of it here.
 */
export class ExportObject extends DurableObject<Env> implements ExporterCalls {
  readonly #alarm: Alarm;
  #making: Making | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = new Alarm(ctx.storage);
  }

  async begin(runId: string): Promise<void> {
    const nowMs = Date.now();
    await this.ctx.storage.put(RUN, runId);
    await this.#alarm.by(new Crossings(), nowMs + 1, nowMs);
  }

  override async alarm(): Promise<void> {
    const crossings = new Crossings();
    let runId: string | undefined;
    try {
      await this.#alarm.at(crossings, Date.now() + SAFETY_NET_MS);
      runId = await this.ctx.storage.get<string>(RUN);
      if (runId === undefined) await this.#forget(crossings);
      else await this.#goOn(crossings, runId);
    } catch (error) {
      // An alarm that throws six times is dropped for good; this one has set its successor already.
      logError('export_failed', error, { runId });
    }
  }

  async #goOn(crossings: Crossings, runId: string): Promise<void> {
    await requireConfig(this.env);
    const database = new Database(this.env.DB, crossings);
    const [[run]] = await database.batch('d1.export.find', [selectRun(database.queries, runId)]);
    if (run?.status !== 'Running') return this.#forget(crossings);
    const { sinceMs, tries, failure } = await this.#expectTrouble();
    if (Date.now() - sinceMs > GIVE_UP_MS && tries > FEWEST_TRIES) {
      return this.#giveUp(crossings, database, run, failure);
    }
    try {
      const published = await this.#work(crossings, database, run);
      if (published) return await this.#forget(crossings);
      await this.ctx.storage.delete(TROUBLE);
      await this.#alarm.at(crossings, Date.now() + 1);
    } catch (error) {
      await this.#setback(crossings, database, run, error);
    }
  }

  /** Whoever is cut off says nothing of it: each slice is taken for one that does not get on, until it has. */
  async #expectTrouble(): Promise<Trouble> {
    const before = await this.ctx.storage.get<Trouble>(TROUBLE);
    const first = { sinceMs: Date.now(), tries: 0, failure: 'it was cut off' };
    const trouble = { ...(before ?? first), tries: (before?.tries ?? 0) + 1 };
    await this.ctx.storage.put(TROUBLE, trouble);
    return trouble;
  }

  /** Does a bounded piece of the work, and tells how far that is; says whether the file is published. */
  async #work(crossings: Crossings, database: Database, run: ExportRunRow): Promise<boolean> {
    const { storage } = this.ctx;
    const checkpoint = (await storage.get<Checkpoint>(CHECKPOINT)) ?? NOTHING_MADE;
    const making =
      this.#making ?? new Making(this.#makingWork(crossings, database), run, checkpoint);
    this.#making = making;
    const endMs = Date.now() + SLICE_MS;
    let toldBytes = making.progress.bytes;
    for (let step = 1; step <= MOST_STEPS; step += 1) {
      if ((await making.step()) === 'published') return true;
      const last = step === MOST_STEPS || Date.now() >= endMs;
      const { progress } = making;
      if (last || progress.bytes !== toldBytes) {
        await tell(database, run.id, { ...progress, failure: null }, SILENCE_MS);
      }
      if (last) break;
      toldBytes = progress.bytes;
    }
    await making.settle();
    return false;
  }

  #makingWork(crossings: Crossings, database: Database) {
    const parts: PartList = {
      keep: (checkpoint, part) =>
        crossings.cross('storage.checkpoint', async () => {
          await this.ctx.storage.put({
            [CHECKPOINT]: checkpoint,
            ...(part && { [partKey(part.partNumber)]: part.etag }),
          });
          await this.ctx.storage.delete(TROUBLE);
        }),
      all: async () => {
        const kept = await this.ctx.storage.list<string>({ prefix: PARTS });
        return [...kept.values()].map((etag, index) => ({ partNumber: index + 1, etag }));
      },
    };
    return {
      database,
      crossings,
      bucket: this.env.EXPORTS,
      parts,
      now: () => Date.now(),
    };
  }

  /** Something did not work: it is tried again later. */
  async #setback(crossings: Crossings, database: Database, run: ExportRunRow, error: unknown) {
    const { storage } = this.ctx;
    const progress = this.#making?.progress;
    this.#making = null;
    const failure = describeError(error);
    logError('export_setback', error, { runId: run.id });
    // None, when the slice had got on before: then this is the first try at a new place.
    const expected = await storage.get<Trouble>(TROUBLE);
    const trouble = { ...(expected ?? { sinceMs: Date.now(), tries: 1 }), failure };
    await storage.put(TROUBLE, trouble);
    const pauseMs = PAUSES_MS[Math.min(trouble.tries, PAUSES_MS.length) - 1] as number;
    await this.#alarm.at(crossings, Date.now() + pauseMs);
    if (trouble.tries % TRIES_BEFORE_ANEW === 0 && !(error instanceof DatabaseUnavailable)) {
      await this.#beginAnew(crossings, run);
    }
    await tell(database, run.id, { ...progress, failure }, pauseMs);
  }

  async #giveUp(crossings: Crossings, database: Database, run: ExportRunRow, failure: string) {
    const end = { status: 'Failed', failure, finishedAtMs: Date.now() } as const;
    await database.batch('d1.export.checkpoint', [
      endRun(database.queries, run.id, end),
      forgetMoves(database.queries),
    ]);
    await this.#beginAnew(crossings, run);
    await this.#forget(crossings);
  }

  /** Gives up what was made of the file. R2 forgets an upload that was not completed within seven days anyhow. */
  async #beginAnew(crossings: Crossings, run: ExportRunRow): Promise<void> {
    const { storage } = this.ctx;
    const checkpoint = await storage.get<Checkpoint>(CHECKPOINT);
    const uploadId = checkpoint?.uploadId ?? null;
    if (uploadId !== null) {
      const upload = this.env.EXPORTS.resumeMultipartUpload(run.objectKey, uploadId);
      await crossings.cross('r2.delete', () => upload.abort()).catch(() => undefined);
    }
    const parts = await storage.list({ prefix: PARTS });
    await crossings.cross('storage.checkpoint', async () => {
      await storage.delete(CHECKPOINT);
      for (const key of parts.keys()) await storage.delete(key);
    });
  }

  async #forget(crossings: Crossings): Promise<void> {
    this.#making = null;
    // The alarm last: should this be cut off before, it comes back to it.
    await crossings.cross('storage.checkpoint', () => this.ctx.storage.deleteAll());
    await this.#alarm.off(crossings);
  }
}

/** In the order of their numbers, of which R2 allows 10,000. */
function partKey(partNumber: number): string {
  return `${PARTS}${String(partNumber).padStart(5, '0')}`;
}

/** Tells others how far a run is, and that they may ask what became of it when nothing is heard for `silenceMs`. */
async function tell(database: Database, runId: string, told: RunProgress, silenceMs: number) {
  const dueAtMs = Date.now() + silenceMs;
  await database.batch('d1.export.checkpoint', [
    updateProgress(database.queries, runId, { ...told, dueAtMs }),
  ]);
}
