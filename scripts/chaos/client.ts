import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../seed.ts';
import { accessToken } from './answers.ts';
import type { Answer, Sent } from './journal.ts';

/** An answer that takes longer counts as none: longer than the service itself waits for anything. */
const ANSWER_MS = 40_000;

/** How long after `busy`, an internal error or a broken connection the same request is sent again. */
const AGAIN_MS = 500;

/** How long one request is sent again and again before the client gives up. */
const GIVE_UP_MS = 90_000;

export type Who = 'engine' | 'admin';

/** A booking engine that sends again what was cut off, as a good client does. */
export class ChaosClient {
  readonly #address: () => Promise<string>;
  readonly #signal: AbortSignal;
  readonly #tokens = new Map<Who, Promise<string>>();

  constructor(address: () => Promise<string>, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
  }

  /** Sends a request until the service says something about it that may be the last word or an unknown outcome. */
  async settle(request: Sent): Promise<Answer> {
    const startedMs = Date.now();
    while (Date.now() - startedMs < GIVE_UP_MS) {
      const answer = await this.send(request);
      if (answer && answer.status !== 503 && answer.status !== 500) return answer;
      await sleep(AGAIN_MS, undefined, { signal: this.#signal });
    }
    throw new Error(`${request.path} of ${request.reference} was never answered`);
  }

  /** Sends a request once, when the service is up, and notes what came of it; null when no answer arrived. */
  async send(request: Sent): Promise<Answer | null> {
    const { path, body, key } = request;
    const answer = await this.#post('engine', path, body, key);
    if (answer) request.answers.push(answer);
    else request.cutOff += 1;
    return answer;
  }

  /** Asks for something that changes nothing, or may be done twice, until it is answered with 200. */
  async ask(path: string, body: Readonly<Record<string, unknown>>, who: Who = 'engine') {
    const startedMs = Date.now();
    while (Date.now() - startedMs < GIVE_UP_MS) {
      const answer = await this.#post(who, path, body, null);
      if (answer?.status === 200) return answer.body;
      if (answer && answer.status < 500) {
        throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      }
      await sleep(AGAIN_MS, undefined, { signal: this.#signal });
    }
    throw new Error(`${path} was never answered`);
  }

  async #post(
    who: Who,
    path: string,
    body: Readonly<Record<string, unknown>>,
    key: string | null,
  ): Promise<Answer | null> {
    const token = await this.#token(who);
    return exchange(
      new URL(path, await this.#address()),
      {
        Authorization: `Bearer ${token}`,
        ...(key !== null && { 'Idempotency-Key': key }),
      },
      body,
      this.#signal,
    );
  }

  /** One access token lasts for the whole run: they outlive the service's restarts. */
  #token(who: Who): Promise<string> {
    const known = this.#tokens.get(who);
    if (known) return known;
    const fresh = this.#fetchToken(who);
    this.#tokens.set(who, fresh);
    return fresh;
  }

  async #fetchToken(who: Who): Promise<string> {
    const { id, secret } = who === 'admin' ? seeded.admin : seeded.client;
    const answer = await exchange(
      new URL('/auth/v1/token', await this.#address()),
      { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      { grant_type: 'client_credentials' },
      this.#signal,
    );
    return accessToken.parse(answer?.body).access_token;
  }
}

/** Posts JSON; null when the connection broke before the whole answer was read, or what came is none of the service's. */
async function exchange(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Answer | null> {
  signal.throwIfAborted();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    // wrangler's proxy answers in plain text while the runtime behind it is gone.
    if (!response.headers.get('Content-Type')?.includes('json')) return null;
    return { status: response.status, body: (await response.json()) as unknown };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
