/** A PMS that the tests play themselves, and the dispatcher that sends to it. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import { dispatcherClock } from '../../src/delivery/clock.ts';
import { atTime, testEnv } from './api.ts';
import { fetchNow } from './fetches.ts';
import { dispatcherRests, notificationsArrived } from './notifications.ts';

/** Everything that tests look at in messages, as if each had all of it. */
export interface MessageJson {
  readonly MessageID: string;
  readonly MessageType: string;
  readonly TimeStamp: string;
  readonly EchoData: string;
  readonly BookingData: {
    readonly Reference: string;
    readonly Guest: Readonly<Record<'FirstName' | 'LastName', string>>;
  };
  readonly CancellationData: Readonly<Record<string, string>>;
  readonly TransactionData: Readonly<Record<string, string>>;
}

/** A message as it reached the PMS. */
export interface Delivered {
  readonly atMs: number;
  readonly contentType: string;
  /** Its `User-Agent`. */
  readonly sender: string | null;
  readonly text: string;
  readonly json: MessageJson;
}

/** How the PMS treats a message: an answer, or none. */
export type Behaviour = (message: Delivered) => Response | Promise<Response>;

/** The answer of a PMS that took the message. */
export function confirming(message: Delivered, members: object = {}, status = 200): Response {
  const { MessageID, TimeStamp } = message.json;
  return Response.json({ MessageID, TimeStamp, Status: 'Success', ...members }, { status });
}

/** What the clock of every dispatcher shows while a PMS is played: a notify may come after the clock of its test. */
let clockMs: number | null = null;

/** Sets the clock of the dispatchers; null for real time. */
export function dispatchersAt(atMs: number | null): void {
  clockMs = atMs;
}

/** What the clock of the dispatchers shows. */
export function dispatchersNow(): number {
  return clockMs ?? Date.now();
}

/** How many passwords PMSs have so far. */
let passwords = 0;

/** A PMS that cannot be reached. */
export const down: Behaviour = () => Promise.reject(new Error('connection refused'));

/** Takes the place of a PMS at an address: what is sent there is kept and treated as `behave` says. */
export class PlayedPms {
  readonly url: string;
  readonly delivered: Delivered[] = [];
  behave: Behaviour = (message) => confirming(message);
  readonly #spy;

  constructor(name: string) {
    this.url = `https://pms.${name}.hotel.com/messages`;
    vi.spyOn(dispatcherClock, 'now').mockImplementation(dispatchersNow);
    const original = fetchNow();
    this.#spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (url !== this.url) return original(input, init);
      return this.#take(init);
    });
  }

  /** What a property's `pms` names: a password of its own for each property. */
  get settings() {
    passwords += 1;
    const password = `a-secret-of-the-pms-${passwords}`;
    return { url: this.url, username: 'pms', password };
  }

  async #take(init: RequestInit | undefined): Promise<Response> {
    const text = typeof init?.body === 'string' ? init.body : '';
    const headers = new Headers(init?.headers);
    const contentType = headers.get('Content-Type') ?? '';
    const sender = headers.get('User-Agent');
    const json = (text.startsWith('{') ? JSON.parse(text) : {}) as MessageJson;
    const message = { atMs: Date.now(), contentType, sender, text, json };
    this.delivered.push(message);
    return this.behave(message);
  }

  /** The types of what was delivered, in order. */
  types(): string[] {
    return this.delivered.map(({ json }) => json.MessageType);
  }

  /** What it was told of money, in order. */
  transactions(): MessageJson['TransactionData'][] {
    return this.delivered
      .filter(({ json }) => json.MessageType === 'PushTransaction')
      .map(({ json }) => json.TransactionData);
  }

  leave(): void {
    this.#spy.mockRestore();
    clockMs = null;
  }
}

function dispatcher(url: string) {
  return testEnv.PMS_DISPATCHER.getByName(url);
}

/** When the dispatcher of a PMS rings next; null when it is off. */
export async function dispatchAlarm(url: string): Promise<number | null> {
  await notificationsArrived();
  return runInDurableObject(dispatcher(url), async (object, { storage }) => {
    // While it sends, its alarm is set for when it may have been cut off.
    await dispatcherRests(object);
    return storage.getAlarm();
  });
}

/** Lets the dispatcher's alarm ring, whenever it is set for. */
export async function ring(url: string): Promise<void> {
  await runDurableObjectAlarm(dispatcher(url));
}

/** Lets the dispatcher ring at each of its own times until some time; returns how often it did. */
export async function dispatchUntil(url: string, fromMs: number, untilMs: number): Promise<number> {
  let rings = 0;
  for (let nowMs = fromMs; ; rings += 1) {
    const alarmAtMs = await dispatchAlarm(url);
    if (alarmAtMs === null || alarmAtMs > untilMs) return rings;
    nowMs = Math.max(nowMs, alarmAtMs);
    dispatchersAt(nowMs);
    await atTime(nowMs, () => ring(url));
    if (rings > 5_000) throw new Error('the dispatcher rings without end');
  }
}
