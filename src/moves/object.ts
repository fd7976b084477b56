import { DurableObject } from 'cloudflare:workers';
import { SECOND_MS } from '../core/time.ts';
import { Alarm } from '../platform/alarm.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { describeError } from '../platform/db/errors.ts';
import type { Env } from '../platform/env.ts';
import { logError, logWarning } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import type { MoveRow } from '../schema/homeTables.ts';
import { giveUp, goOn, type Progress } from './move.ts';
import { changeMove, selectNextMove } from './store.ts';

/** When the alarm repeats a step that was cut off. */
const SAFETY_NET_MS = 20 * SECOND_MS;

/** How often in a row a move may break off before it is taken back, and the pause after each time. */
const MOST_FAILURES = 20;
const PAUSE_MS = 3 * SECOND_MS;

/** The pause while the property takes no changes: it is as short as may be. */
const SHORT_PAUSE_MS = 200;

/** How far the move that is under way is. */
interface Kept {
  readonly moveId: string;
  readonly progress: Progress;
  readonly failures: number;
}

const KEPT = 'move';

/**
 * Moves properties from database to database, one after the other, in its alarm. The directory has the moves; the object's
 * storage has how far the copy of one is.
 */
export class PropertyMover extends DurableObject<Env> {
  readonly #alarm: Alarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = new Alarm(ctx.storage);
  }

  /** Makes it look for a move that is under way. */
  async wake(): Promise<void> {
    const nowMs = Date.now();
    await this.#alarm.by(new Trace(), nowMs + 1, nowMs);
  }

  override async alarm(): Promise<void> {
    const trace = new Trace();
    try {
      await this.#alarm.at(trace, Date.now() + SAFETY_NET_MS);
      const database = openDatabase(this.env, trace);
      const [[move]] = await database.batch('d1.move.read', [selectNextMove()]);
      const pauseMs = move ? await this.#goOn(database, move) : null;
      if (pauseMs === null) await this.#alarm.off(trace);
      else await this.#alarm.at(trace, Date.now() + Math.max(1, pauseMs));
    } catch (error) {
      // The platform drops an alarm that throws six times. This one has already set the next.
      logError('move_failed', error, {});
      await this.#alarm.at(trace, Date.now() + PAUSE_MS).catch(() => undefined);
    }
  }

  /** Does some of a move. Returns when to go on; null when no move is left. */
  async #goOn(database: Database, move: MoveRow): Promise<number | null> {
    const { storage } = this.ctx;
    const known = await storage.get<Kept>(KEPT);
    const kept =
      known?.moveId === move.id ? known : { moveId: move.id, progress: null, failures: 0 };
    try {
      const left = await goOn(database, move, kept.progress);
      if ('ended' in left) return await this.#end(move);
      await storage.put(KEPT, { moveId: move.id, progress: left.progress, failures: 0 });
      return left.pauseMs;
    } catch (error) {
      return this.#onFailure(database, move, kept, error);
    }
  }

  async #onFailure(
    database: Database,
    move: MoveRow,
    kept: Kept,
    error: unknown,
  ): Promise<number | null> {
    const failures = kept.failures + 1;
    const failure = describeError(error);
    logError('move_failed', error, { property: move.propertyId, move: move.id });
    await this.ctx.storage.put(KEPT, { ...kept, failures });
    if (failures >= MOST_FAILURES && (await giveUp(database, move, failure)))
      return this.#end(move);
    await database.batch('d1.move.save', [changeMove(move.id, { failure })]);
    return move.status === 'switching' ? SHORT_PAUSE_MS : PAUSE_MS;
  }

  /** Forgets a move that ended, and looks for another one. */
  async #end({ from, id, propertyId, to }: MoveRow): Promise<number> {
    await this.ctx.storage.delete(KEPT);
    logWarning('property_move_ended', { property: propertyId, move: id, from, to });
    return 1;
  }
}
