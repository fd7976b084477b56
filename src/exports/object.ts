import { DurableObject } from 'cloudflare:workers';
import { type Config, requireConfig } from '../config.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { Database } from '../db/database.ts';
import { describeError } from '../db/errors.ts';
import type { ExportRunRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { Alarm } from '../io/alarm.ts';
import { Crossings } from '../io/crossings.ts';
import { type Checkpoint, Making, NOTHING_MADE, type PartList } from './make.ts';
import { removeExpired } from './remove.ts';
import { endRun, selectRun, updateProgress } from './store.ts';

/** The calls of a run's object, as others make them. */
export interface ExporterCalls {
  /** Makes the run's file, or goes on with it. */
  begin(runId: string): Promise<void>;
}

/** How many steps one alarm does; the next alarm goes on at once, with the platform's limits of one call before it. */
const MOST_STEPS = 100;

/** When a run that was cut off is gone on with. */
const SAFETY_NET_MS = 20 * SECOND_MS;

/** What follows each failure; the last one again and again. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS] as const;

/** A run that gets no further for this long is given up. */
const GIVE_UP_MS = 12 * HOUR_MS;

const RUN = 'run';
const CHECKPOINT = 'checkpoint';
const PARTS = 'part:';
const TROUBLE = 'trouble';

/** What keeps a run from going on: since when, and how often it was tried. */
interface Trouble {
  readonly sinceMs: number;
  readonly tries: number;
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
    try {
      await this.#alarm.at(crossings, Date.now() + SAFETY_NET_MS);
      const runId = await this.ctx.storage.get<string>(RUN);
      if (runId === undefined) await this.#forget(crossings);
      else await this.#goOn(crossings, runId);
    } catch (error) {
      // An alarm that throws six times is dropped for good; this one has set its successor already.
      console.error(JSON.stringify({ event: 'export_failed', error: describeError(error) }));
    }
  }

  async #goOn(crossings: Crossings, runId: string): Promise<void> {
    const config = await requireConfig(this.env);
    const database = new Database(this.env.DB, crossings);
    const [[run]] = await database.batch('d1.export.find', [selectRun(database.queries, runId)]);
    if (run?.status !== 'Running') return this.#forget(crossings);
    try {
      const published = await this.#work(crossings, database, run);
      if (!published) {
        await this.#alarm.at(crossings, Date.now() + 1);
        return;
      }
      await this.#cleanUp(config, crossings, database, run);
    } catch (error) {
      this.#making = null;
      await this.#setback(crossings, database, run, error);
    }
  }

  /** Does a bounded number of steps; says whether the file is published. */
  async #work(crossings: Crossings, database: Database, run: ExportRunRow): Promise<boolean> {
    const { storage } = this.ctx;
    const checkpoint = (await storage.get<Checkpoint>(CHECKPOINT)) ?? NOTHING_MADE;
    const making =
      this.#making ?? new Making(this.#makingWork(crossings, database), run, checkpoint);
    this.#making = making;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if ((await making.step()) === 'published') return true;
    }
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

  /** Files that were kept long enough are removed with each run; should that fail, the next run does it. */
  async #cleanUp(config: Config, crossings: Crossings, database: Database, run: ExportRunRow) {
    this.#making = null;
    try {
      const work = { database, crossings, bucket: this.env.EXPORTS };
      await removeExpired(work, run, config.exportKeepDays);
    } catch (error) {
      console.error(JSON.stringify({ event: 'removal_failed', error: describeError(error) }));
    }
    await this.#forget(crossings);
  }

  /** Something did not work: it is tried again later, and given up when nothing helps for long. */
  async #setback(crossings: Crossings, database: Database, run: ExportRunRow, error: unknown) {
    const nowMs = Date.now();
    const before = await this.ctx.storage.get<Trouble>(TROUBLE);
    const trouble = { sinceMs: before?.sinceMs ?? nowMs, tries: (before?.tries ?? 0) + 1 };
    await this.ctx.storage.put(TROUBLE, trouble);
    const failure = describeError(error);
    console.error(JSON.stringify({ event: 'export_setback', runId: run.id, error: failure }));
    const pauseMs = PAUSES_MS[Math.min(trouble.tries, PAUSES_MS.length) - 1] as number;
    await this.#alarm.at(crossings, nowMs + pauseMs);
    if (nowMs - trouble.sinceMs > GIVE_UP_MS) {
      const end = { status: 'Failed', failure, finishedAtMs: nowMs } as const;
      await database.batch('d1.export.checkpoint', [endRun(database.queries, run.id, end)]);
      await this.#abandon(crossings, run);
      return;
    }
    const told = { failure, dueAtMs: nowMs + pauseMs };
    await database.batch('d1.export.checkpoint', [updateProgress(database.queries, run.id, told)]);
  }

  /** R2 forgets an upload that was not completed within seven days anyhow. */
  async #abandon(crossings: Crossings, run: ExportRunRow): Promise<void> {
    const checkpoint = await this.ctx.storage.get<Checkpoint>(CHECKPOINT);
    const uploadId = checkpoint?.uploadId ?? null;
    if (uploadId !== null) {
      const upload = this.env.EXPORTS.resumeMultipartUpload(run.objectKey, uploadId);
      await crossings.cross('r2.delete', () => upload.abort()).catch(() => undefined);
    }
    await this.#forget(crossings);
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
