import { DurableObject } from 'cloudflare:workers';
import { realTimeOf } from '../core/propertyClock.ts';
import { MINUTE_MS } from '../core/time.ts';
import { Alarm } from '../platform/alarm.ts';
import { requireConfig } from '../platform/config.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { MailDispatch, type MailRun } from './dispatch.ts';

/** What was done while a property's clock was frozen: how many mails were tried, and whether any changed. */
export interface SentAsOf {
  readonly sent: number;
  readonly changed: boolean;
}

/** When the alarm repeats a run that was cut off. */
const SAFETY_NET_MS = MINUTE_MS;

const PROPERTY = 'property';

/**
 * Sends one property's mails, in its alarm. D1 has the mails and their attempts; the object's storage has only the
 * property's id. Runs follow each other, so that no mail is on its way twice.
 */
export class MailDispatcher extends DurableObject<Env> {
  readonly #alarm = new Alarm(this.ctx.storage);
  #last: Promise<unknown> = Promise.resolve();
  #notified = false;

  /** Makes it look for mails to send. */
  async notify(propertyId: string): Promise<void> {
    this.#notified = true;
    const known = await this.ctx.storage.get<string>(PROPERTY);
    if (known !== propertyId) await this.ctx.storage.put(PROPERTY, propertyId);
    const nowMs = Date.now();
    await this.#alarm.by(new Trace(), nowMs + 1, nowMs);
  }

  /** Sends what is due while the property's clock is frozen. */
  async sendAsOf(propertyId: string): Promise<SentAsOf> {
    const { sent, planned } = await this.#run(propertyId, () => true);
    return { sent, changed: sent + planned > 0 };
  }

  override async alarm(): Promise<void> {
    const trace = new Trace();
    try {
      this.#notified = false;
      await this.#alarm.at(trace, Date.now() + SAFETY_NET_MS);
      const propertyId = await this.ctx.storage.get<string>(PROPERTY);
      const atMs = propertyId === undefined ? null : await this.#runByItself(propertyId);
      // A notification during the run has already set an earlier alarm.
      if (this.#notified) return;
      if (atMs === null) await this.#alarm.off(trace);
      else await this.#alarm.at(trace, Math.max(atMs, Date.now() + 1));
    } catch (error) {
      // The platform drops an alarm that throws six times. This one has already set the next.
      logError('mail_dispatch_failed', error, {});
    }
  }

  /** Returns when to run next, in real time; null for not before a notification. */
  async #runByItself(propertyId: string): Promise<number | null> {
    const { property, nextDueAtMs } = await this.#run(propertyId, isRunning);
    if (property === null || nextDueAtMs === null) return null;
    return realTimeOf(property, nextDueAtMs, Date.now());
  }

  #run(propertyId: string, mayGoOn: (property: PropertyRow) => boolean): Promise<MailRun> {
    const turn = this.#last.then(async () => {
      const config = await requireConfig(this.env);
      return new MailDispatch(this.env, config, propertyId).run(mayGoOn);
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** While a clock is being advanced, the advance sends what falls due on the way. */
function isRunning({ clockFrozenAtMs }: PropertyRow): boolean {
  return clockFrozenAtMs === null;
}
