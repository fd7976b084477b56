import { DurableObject } from 'cloudflare:workers';
import { hex, MoneyIds } from '../../src/core/ids.ts';
import { readTemplate, recordIntent, settle, type Template } from './statements.ts';

/** The bindings of `wrangler.toml` next to this file. */
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

/** A requested charge, with the data that the service would look up. */
export interface Intent extends BookingName {
  readonly cardToken: string;
  readonly bookingVersion: number;
}

/** The object of a booking, or of the acquirer. */
export function yardstickObject(env: YardstickEnv, name: string) {
  return env.OBJECTS.getByName(name);
}

/**
 * Ids like the service's, so that rows have the same positions in the indexes. One generator for the isolate, so that
 * no two objects make the same id.
 */
const ids = new MoneyIds(() => crypto.getRandomValues(new Uint16Array(1))[0] ?? 0);

/** Read once: the benchmark measures the service with warm caches, too. */
let template: Template | undefined;

/** A booking's object with only the round trips that a safe charge needs. */
export class YardstickObject extends DurableObject<YardstickEnv> {
  #keeps = false;

  async nothing(): Promise<void> {}

  /** The least work of an acquirer: it stores the key before it answers. */
  async keep(key: string): Promise<void> {
    const { sql } = this.ctx.storage;
    if (!this.#keeps) sql.exec('CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY)');
    this.#keeps = true;
    sql.exec('INSERT INTO keys VALUES (?)', key);
  }

  /** Writes the intent in one batch, calls the acquirer if there is one, and writes the outcome in another batch. */
  async charge(intent: Intent, withAcquirer: boolean): Promise<number> {
    const { DB } = this.env;
    template ??= await readTemplate(DB);
    const nowMs = Date.now();
    const charge = {
      ...intent,
      id: ids.next('charge', nowMs),
      sequences: [ids.sequence(nowMs), ids.sequence(nowMs)] as const,
      transactionReference: hex(crypto.getRandomValues(new Uint8Array(16))),
      nowMs,
    };
    await DB.batch(recordIntent(DB, template, charge));
    if (withAcquirer) await yardstickObject(this.env, 'acquirer').keep(charge.transactionReference);
    await DB.batch(settle(DB, template, charge));
    return charge.id;
  }
}
