import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour } from './behaviour.ts';
import type { Reply } from './reply.ts';

/** The length of a `huge` answer. */
const HUGE_BYTES = 10 * 1024 * 1024;

const CHUNK_BYTES = 64 * 1024;

/**
 * The pause between two chunks of a `huge` answer. Without it the network would buffer megabytes that the service never
 * reads, and the count of accepted bytes would be wrong.
 */
const CHUNK_MS = 3;

/** The pause between two bytes of a `drip` answer. */
const DRIP_MS = 1_000;

/** Where the parts of an answer that are not in the reply come from and go to. */
export interface Delivery {
  /** The target of `redirect`. */
  readonly trap: string;
  /** Receives the number of bytes of a `huge` answer that the service has accepted so far. */
  readonly taken: (bytes: number) => void;
}

/** Sends a reply by the behaviour. Resolves when nothing is left to send. */
export async function deliver(
  response: ServerResponse,
  reply: Reply,
  behaviour: Behaviour,
  { trap, taken }: Delivery,
): Promise<void> {
  switch (behaviour.mode) {
    case 'right':
    case 'error':
    case 'wrong-id':
      return send(response, 200, reply);
    case 'not-json':
      // Cut off: without JSON's last brace, or the end of XML's last tag.
      return send(response, 200, { ...reply, text: reply.text.slice(0, -1) });
    case 'html':
      return send(response, 200, {
        contentType: 'text/html; charset=utf-8',
        text: '<!doctype html><title>Welcome</title><p>Please log in.</p>',
      });
    case 'http-400':
      return send(response, 400, plain('Bad Request'));
    case 'http-429':
    case 'http-500':
    case 'http-503':
      return fail(response, Number(behaviour.mode.slice(-3)), behaviour.retryAfterSeconds);
    case 'redirect':
      response.setHeader('Location', trap);
      return send(response, 302, plain('Found'));
    case 'hang':
      return undefined;
    case 'close':
    case 'close-late':
      response.destroy();
      return undefined;
    case 'huge':
      return flood(response, reply, taken);
    case 'drip':
      return drip(response, reply);
    default:
      return behaviour.mode satisfies never;
  }
}

/** Sends a whole answer. */
export function send(response: ServerResponse, status: number, { contentType, text }: Reply): void {
  const body = Buffer.from(text);
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': body.length });
  response.end(body);
}

function plain(text: string): Reply {
  return { contentType: 'text/plain; charset=utf-8', text };
}

function fail(response: ServerResponse, status: number, retryAfterSeconds?: number): void {
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
  send(response, status, plain('Failing on request'));
}

/** A correct reply with so much padding that the service should not read it all. */
async function flood(
  response: ServerResponse,
  { contentType, text }: Reply,
  taken: (bytes: number) => void,
): Promise<void> {
  const padding = 'x'.repeat(CHUNK_BYTES);
  const chunks = [
    `${text.slice(0, -1)},"Padding":"`,
    ...Array.from({ length: HUGE_BYTES / CHUNK_BYTES }, () => padding),
    '"}',
  ];
  response.writeHead(200, { 'Content-Type': contentType });
  const gone = new Promise<boolean>((resolve) => {
    response.once('close', () => resolve(false));
  });
  let bytes = 0;
  for (const chunk of chunks) {
    if (!(await Promise.race([written(response, chunk), gone]))) return;
    bytes += Buffer.byteLength(chunk);
    taken(bytes);
    await sleep(CHUNK_MS);
  }
  response.end();
}

/** Whether this part of an answer has left this process. */
function written(response: ServerResponse, chunk: string): Promise<boolean> {
  return new Promise((resolve) => {
    response.write(chunk, (error) => resolve(!error));
  });
}

async function drip(response: ServerResponse, { contentType, text }: Reply): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, { 'Content-Type': contentType });
  response.flushHeaders();
  for (const byte of Buffer.from(text)) {
    response.write(Buffer.of(byte));
    await sleep(DRIP_MS, undefined, { signal: gone.signal }).catch(() => undefined);
    if (gone.signal.aborted) return;
  }
  response.end();
}
