import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../seed.ts';
import { accessToken } from './answers.ts';
import type { Answer, Sent } from './journal.ts';

/** The longest wait for an answer: longer than any wait of the service itself. */
const ANSWER_MS = 40_000;

/** The pause before a retry after `busy`, an internal error or a broken connection. */
const AGAIN_MS = 500;

/** How long to retry one request. */
const GIVE_UP_MS = 90_000;

export type Who = 'engine' | 'admin';

/** A booking engine that retries requests without an answer, as a good client does. */
export class ChaosClient {
  readonly #address: () => Promise<string>;
  readonly #signal: AbortSignal;
  readonly #tokens = new Map<Who, Promise<string>>();

  constructor(address: () => Promise<string>, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
  }

  /** Sends a request until the service answers with a result or an unknown outcome. */
  async settle(request: Sent): Promise<Answer> {
    const startedMs = Date.now();
    while (Date.now() - startedMs < GIVE_UP_MS) {
      const answer = await this.send(request);
      if (answer && answer.status !== 503 && answer.status !== 500) return answer;
      await sleep(AGAIN_MS, undefined, { signal: this.#signal });
    }
    throw new Error(`${request.path} of ${request.reference} was never answered`);
  }

  /** Sends a request once, when the service is running, and records its answer; null when none arrived. */
  async send(request: Sent): Promise<Answer | null> {
    const { path, body, key } = request;
    const answer = await this.#post('engine', path, body, key);
    if (answer) request.answers.push(answer);
    else request.cutOff += 1;
    return answer;
  }

  /** Sends a read or an idempotent request until the service answers 200. */
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

  /** One access token for the whole run: tokens stay valid after a restart. */
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

/** Posts JSON; null when the connection broke during the answer, or the answer is not the service's. */
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
    // Wrangler's proxy answers in plain text while its runtime is down.
    if (!response.headers.get('Content-Type')?.includes('json')) return null;
    return { status: response.status, body: (await response.json()) as unknown };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
