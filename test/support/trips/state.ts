/** What an operation finds in memory, and what is done behind its answer: the property that trips to D1 are counted at. */
import { evictAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { seeded } from '../../../scripts/seed.ts';
import { Database } from '../../../src/platform/db/database.ts';
import { Trace } from '../../../src/platform/trace.ts';
import { clientStanding } from '../../../src/records/clients/clientCache.ts';
import { callAsAdmin, engineToken, forgetTokens, testEnv, tokenOf } from '../api.ts';
import { PlayedEndpoint } from '../endpoint.ts';
import { forgetMemories } from '../memories.ts';
import { notificationsArrived } from '../notifications.ts';
import { PlayedPms, ring } from '../pms.ts';

/**
 * What is in memory: `warm` is the booking in its object and the client in the isolate, `cold` the client alone, and
 * `allCold` nothing.
 */
export const states = ['warm', 'cold', 'allCold'] as const;

export type State = (typeof states)[number];

/** Those that the property's changes are sent to. */
export class Receivers {
  readonly #pms = new PlayedPms('trips');
  readonly #endpoint = new PlayedEndpoint('trips');

  /** Has the property of the demo tell a PMS and an endpoint of everything, and mail receipts of all that is paid. */
  async join(): Promise<void> {
    const property = {
      property: 'demo',
      name: 'Demo Property',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      cardFeeBasisPoints: 300,
      guestMails: { receipts: true },
      pms: this.#pms.settings,
    };
    const put = await callAsAdmin('/admin/v1/property/put', property);
    if (put.status !== 200) throw new Error(JSON.stringify(put.json));
    await this.#endpoint.subscribe(await tokenOf(seeded.client.id, seeded.client.secret, 'events'));
  }

  /** Does once what is left behind an answer: messages, events and mails go out. */
  async tellAll(): Promise<void> {
    await notificationsArrived();
    await this.tellPms();
    await this.tellEndpoint();
    await this.mail();
  }

  tellPms(): Promise<void> {
    return ring(this.#pms.url);
  }

  tellEndpoint(): Promise<boolean> {
    return runDurableObjectAlarm(testEnv.EVENT_DISPATCHER.getByName(this.#endpoint.id));
  }

  mail(): Promise<boolean> {
    return runDurableObjectAlarm(testEnv.MAILER.getByName('demo'));
  }

  leave(): void {
    this.#pms.leave();
    this.#endpoint.leave();
  }
}

/** Gets a token and has the isolate know the client. */
export async function knowClient(): Promise<void> {
  forgetTokens();
  await engineToken();
  await clientStanding(new Database(testEnv.DB, new Trace()), seeded.client.id, Date.now());
}

/** Takes from memory what a state has not. What objects store stays. */
export async function enter(state: State): Promise<void> {
  if (state !== 'warm') await evictAllDurableObjects();
  if (state === 'allCold') forgetMemories();
}
