/** An endpoint for events that the tests play themselves, and the dispatcher that delivers to it. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { dispatcherClock } from '../../src/delivery/clock.ts';
import type { EventJson } from './answers.ts';
import { atTime, call, testEnv } from './api.ts';
import { fetchNow } from './fetches.ts';
import { notificationsArrived } from './notifications.ts';
import { dispatchersAt, dispatchersNow } from './pms.ts';

/** A delivery as it reached the endpoint. */
export interface DeliveredEvent {
  readonly headers: Headers;
  readonly text: string;
  readonly json: EventJson;
}

/** How the endpoint treats a delivery: an answer, or none. */
export type EndpointBehaviour = (delivery: DeliveredEvent) => Response | Promise<Response>;

/** An endpoint that takes everything. */
export const taking: EndpointBehaviour = () => new Response(null, { status: 204 });

/** An endpoint that cannot be reached. */
export const unreachable: EndpointBehaviour = () => Promise.reject(new Error('connection refused'));

/** Takes the place of an endpoint at an address: what is delivered there is kept and treated as `behave` says. */
export class PlayedEndpoint {
  readonly url: string;
  readonly delivered: DeliveredEvent[] = [];
  behave: EndpointBehaviour = taking;
  id = '';
  secret = '';
  readonly #spy;

  constructor(name: string) {
    this.url = `https://${name}.engine.hotel.com/events`;
    vi.spyOn(dispatcherClock, 'now').mockImplementation(dispatchersNow);
    const original = fetchNow();
    this.#spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      return url === this.url ? this.#take(init) : original(input, init);
    });
  }

  /** Makes the endpoint known to the property of a client. */
  async subscribe(token: string, settings: object = {}): Promise<this> {
    const { json } = await call('/webhook/v1/put', { url: this.url, ...settings }, { token });
    this.id = json.endpoint.endpointId;
    this.secret = json.endpoint.secret;
    return this;
  }

  async #take(init: RequestInit | undefined): Promise<Response> {
    const text = typeof init?.body === 'string' ? init.body : '';
    const delivery = {
      headers: new Headers(init?.headers),
      text,
      json: JSON.parse(text) as EventJson,
    };
    this.delivered.push(delivery);
    return this.behave(delivery);
  }

  /** What was delivered, as the list shows it, in order. */
  events(): EventJson[] {
    return this.delivered.map(({ headers, json }) => ({
      ...json,
      eventId: headers.get('webhook-id') ?? '',
    }));
  }

  /** The types of what was delivered, in order. */
  types(): string[] {
    return this.delivered.map(({ json }) => json.type);
  }

  leave(): void {
    this.#spy.mockRestore();
    dispatchersAt(null);
  }
}

/** Verifies a delivery with the published library; throws if it is not signed with the secret. */
export function verify(secret: string, { headers, text }: DeliveredEvent): unknown {
  return new Webhook(secret).verify(text, Object.fromEntries(headers));
}

function dispatcher(endpointId: string) {
  return testEnv.EVENT_DISPATCHER.getByName(endpointId);
}

/** When the dispatcher of an endpoint rings next; null when it is off. */
async function eventAlarm(endpointId: string): Promise<number | null> {
  await notificationsArrived();
  return runInDurableObject(dispatcher(endpointId), (_, state) => state.storage.getAlarm());
}

/** Lets the dispatcher ring at each of its own times until some time; returns how often it did. */
export async function deliverUntil(
  endpointId: string,
  fromMs: number,
  untilMs: number,
): Promise<number> {
  let rings = 0;
  for (let nowMs = fromMs; ; rings += 1) {
    const alarmAtMs = await eventAlarm(endpointId);
    if (alarmAtMs === null || alarmAtMs > untilMs) return rings;
    nowMs = Math.max(nowMs, alarmAtMs);
    dispatchersAt(nowMs);
    await atTime(nowMs, () => runDurableObjectAlarm(dispatcher(endpointId)));
    if (rings > 5_000) throw new Error('the dispatcher rings without end');
  }
}

/** All events of a property that fit, page by page. */
export async function listedEvents(token: string, of: object = {}): Promise<EventJson[]> {
  const events: EventJson[] = [];
  for (let after: string | undefined; ; ) {
    const { json } = await call('/event/v1/list', { ...of, ...(after && { after }) }, { token });
    events.push(...json.events);
    if (json.nextCursor === null) return events;
    after = json.nextCursor;
  }
}
