import { DurableObject } from 'cloudflare:workers';
import { MINUTE_MS } from '../../core/time.ts';
import { Alarm } from '../../platform/alarm.ts';
import { openDatabase } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { logError } from '../../platform/log.ts';
import { Trace } from '../../platform/trace.ts';
import { forgetClientsOf } from '../../records/clients/clientCache.ts';
import { moveClock, selectProperty } from '../../records/properties/store.ts';
import { selectHasRecordAfter } from './store.ts';
import { type Stretch, Walk } from './walk.ts';

/** What came of a reset. `records-ahead`: records of the property lie after real time, so that it stays. */
type ResetOutcome = 'reset' | 'records-ahead' | 'no-property';

interface Goal {
  readonly propertyId: string;
  readonly toMs: number;
}

const GOAL = 'goal';

/** When the alarm goes on with an advance that was cut off. */
const CUT_OFF_AFTER_MS = MINUTE_MS;

/**
 * The clock of one property (interface: Test clock): one stretch of an advance at a time, so that two advances at once
 * do everything once and in order. D1 has the clock; the object's storage has only how far an advance is to go.
 */
export class PropertyClockObject extends DurableObject<Env> {
  readonly #alarm = new Alarm(this.ctx.storage);
  #last: Promise<unknown> = Promise.resolve();

  /** Goes a stretch of the way to `toMs`; call again until it is done. */
  advance(propertyId: string, toMs: number): Promise<Stretch> {
    return this.#inTurn(async () => {
      const goal = await this.#goal();
      const furthest = { propertyId, toMs: Math.max(toMs, goal?.toMs ?? 0) };
      await this.ctx.storage.put(GOAL, furthest);
      return this.#stretch({ propertyId, toMs });
    });
  }

  reset(propertyId: string): Promise<ResetOutcome> {
    return this.#inTurn(async () => {
      const database = openDatabase(this.env, new Trace()).of(propertyId);
      const [[property], [records]] = await database.batch('d1.clock.read', [
        selectProperty(propertyId),
        selectHasRecordAfter(propertyId, Date.now()),
      ]);
      if (!property) return 'no-property';
      if (records?.isAhead) return 'records-ahead';
      await this.ctx.storage.delete(GOAL);
      const real = { clockAheadMs: 0, clockFrozenAtMs: null };
      await database.batch('d1.clock.move', [moveClock(propertyId, real)]);
      forgetClientsOf(propertyId);
      return 'reset';
    });
  }

  /** Goes on with an advance whose caller went away. */
  override async alarm(): Promise<void> {
    try {
      await this.#inTurn(async () => {
        const goal = await this.#goal();
        const stretch = goal && (await this.#stretch(goal));
        if (stretch?.done === false) await this.#alarm.at(new Trace(), Date.now() + 1);
      });
    } catch (error) {
      // The stretch has already set the next alarm.
      logError('advance_failed', error, {});
    }
  }

  async #stretch({ propertyId, toMs }: Goal): Promise<Stretch> {
    await this.#alarm.at(new Trace(), Date.now() + CUT_OFF_AFTER_MS);
    const stretch = await new Walk(this.env, propertyId, toMs).stretch();
    const goal = await this.#goal();
    if (stretch.done && goal !== null && goal.toMs <= toMs) {
      await this.ctx.storage.delete(GOAL);
      await this.#alarm.off(new Trace());
    }
    return stretch;
  }

  async #goal(): Promise<Goal | null> {
    return (await this.ctx.storage.get<Goal>(GOAL)) ?? null;
  }

  /** Runs something after all that was begun before it. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
