import { DurableObject } from 'cloudflare:workers';
import { hex, MoneyIds } from '../../src/core/ids.ts';
import { readTemplate, recordIntent, settle, type Template } from './statements.ts';

/** The bindings of `wrangler.toml` beside this file. */
export interface YardstickEnv {
  readonly DB: D1Database;
  readonly EXPORTS: R2Bucket;
  readonly CLIENT_RATE_LIMIT: RateLimit;
  /** The service's own. */
  readonly KEYRING: string;
  readonly OBJECTS: DurableObjectNamespace<YardstickObject>;
}

/** What names a booking. */
export interface BookingName {
  readonly propertyId: string;
  readonly reference: string;
}

/** A charge as it is asked for, with what the service would look up. */
export interface Intent extends BookingName {
  readonly cardToken: string;
  readonly bookingVersion: number;
}

/** The object of one booking, or the one that stands for the acquirer. */
export function yardstickObject(env: YardstickEnv, name: string) {
  return env.OBJECTS.getByName(name);
}

/**
 * The service's own kind of ids, so that rows land in the same places of the same trees; handed out by the
 * isolate, so that no two objects make the same one.
 */
const ids = new MoneyIds(() => crypto.getRandomValues(new Uint16Array(1))[0] ?? 0);

/** Read once: the service, too, is measured when it remembers what it needs. */
let template: Template | undefined;

/** A booking's object with nothing in it but the round trips that a safe charge cannot do without. */
export class YardstickObject extends DurableObject<YardstickEnv> {
  #keeps = false;

  async nothing(): Promise<void> {}

  /** What no acquirer can do without: a key is kept before it is answered. */
  async keep(key: string): Promise<void> {
    const { sql } = this.ctx.storage;
    if (!this.#keeps) sql.exec('CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY)');
    this.#keeps = true;
    sql.exec('INSERT INTO keys VALUES (?)', key);
  }

  /** The intent in one batch, a key kept by an acquirer where there is to be one, and the outcome in another batch. */
  async charge(intent: Intent, withAcquirer: boolean): Promise<number> {
    const { DB } = this.env;
    template ??= await readTemplate(DB);
    const nowMs = Date.now();
    const charge = {
      ...intent,
      id: ids.next('charge', nowMs),
      auditIds: [ids.sequence(nowMs), ids.sequence(nowMs)] as const,
      transactionReference: hex(crypto.getRandomValues(new Uint8Array(16))),
      nowMs,
    };
    await DB.batch(recordIntent(DB, template, charge));
    if (withAcquirer) await yardstickObject(this.env, 'acquirer').keep(charge.transactionReference);
    await DB.batch(settle(DB, template, charge));
    return charge.id;
  }
}
