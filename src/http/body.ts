import type { Context } from 'hono';

/** What a body turned out to be. */
export type ReadBody =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-text' };

/** How much of a body that is too large is still taken in: a connection whose body is left lying may break. */
const MOST_DRAINED_BYTES = 16 * 1024 * 1024;

/** Reads a body of at most `limitBytes` as UTF-8, without ever keeping more than that. */
export async function readBody(c: Context, limitBytes: number): Promise<ReadBody> {
  const announced = c.req.header('Content-Length');
  if (Number(announced ?? 0) > limitBytes) return { kind: 'too-large' };
  const { body } = c.req.raw;
  if (body === null) return { kind: 'text', text: '', bytes: 0 };
  if (announced === undefined) return readStream(body, limitBytes);
  // The connection lets no more through than was announced.
  const whole = await c.req.raw.arrayBuffer();
  return whole.byteLength > limitBytes ? { kind: 'too-large' } : decode(new Uint8Array(whole));
}

async function readStream(stream: ReadableStream, limitBytes: number): Promise<ReadBody> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes <= limitBytes) chunks.push(value);
    else chunks.length = 0;
    if (bytes > MOST_DRAINED_BYTES) {
      await reader.cancel();
      break;
    }
  }
  return bytes > limitBytes ? { kind: 'too-large' } : decode(joined(chunks, bytes));
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function decode(whole: Uint8Array): ReadBody {
  try {
    return { kind: 'text', text: utf8.decode(whole), bytes: whole.byteLength };
  } catch {
    return { kind: 'not-text' };
  }
}
