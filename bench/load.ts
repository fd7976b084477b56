import { Agent, request } from 'node:http';

/** No round makes more requests than this on one connection. */
const MOST_REQUESTS = 50_000;

/** The longest wait for an answer. */
const ANSWER_MS = 30_000;

/** What to send. */
export interface Requests {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** The bodies, in turn; an empty text for a request without a body. */
  readonly bodies: readonly string[];
}

/** The measurements of one round. */
export interface Round {
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
  /** One entry for each failed request. */
  readonly errors: readonly string[];
}

/**
 * Sends a target's requests for `seconds` on several connections. Each connection sends the next request after the
 * answer to the previous one. Does not measure the first request of a connection, and stops it at its first error.
 */
export async function measure(
  target: Requests,
  connections: number,
  seconds: number,
  signal: AbortSignal,
): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: ANSWER_MS });
  const latenciesMs: number[] = [];
  const errors: string[] = [];
  const each = (work: () => Promise<void>) =>
    Promise.all(
      Array.from({ length: connections }, () =>
        work().catch((error: unknown) => void errors.push(messageOf(error))),
      ),
    );
  try {
    await each(() => send(target, agent));
    const startedMs = performance.now();
    const endMs = startedMs + seconds * 1_000;
    await each(async () => {
      for (let sent = 0; sent < MOST_REQUESTS; sent += 1) {
        const sentMs = performance.now();
        if (sentMs >= endMs || signal.aborted || errors.length > 0) return;
        await send(target, agent);
        latenciesMs.push(performance.now() - sentMs);
      }
    });
    return { latenciesMs, elapsedMs: performance.now() - startedMs, errors };
  } finally {
    agent.destroy();
  }
}

/** Sends one request for each body, one after the other, to fill all caches. */
export async function warm(target: Requests): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: ANSWER_MS });
  try {
    for (const _ of target.bodies) await send(target, agent);
  } finally {
    agent.destroy();
  }
}

/** The index of each target's next body. */
const turns = new WeakMap<Requests, number>();

function nextBody(target: Requests): string {
  const turn = turns.get(target) ?? 0;
  turns.set(target, turn + 1);
  return target.bodies[turn % target.bodies.length] ?? '';
}

/** Sends one request and reads its whole answer. Rejects for any status but 200. */
function send(target: Requests, agent: Agent): Promise<void> {
  const body = nextBody(target);
  const headers = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(target.url.href, {
      agent,
      method: target.method,
      headers: { ...target.headers, ...headers },
    });
    sent.on('timeout', () => sent.destroy(new Error('The service did not answer in time.')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${response.statusCode} ${text.slice(0, 300)}`));
      });
    });
    sent.end(body);
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
