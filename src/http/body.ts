import type { Context } from 'hono';
import { decodeUtf8, readLimited } from '../platform/readLimited.ts';

/** A request body after reading. */
export type ReadBody =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-text' }
  /** The connection ended before the body did. */
  | { readonly kind: 'broken-off' };

/** How much of a too large body is read and dropped. A connection with an unread body may break before the answer. */
const DRAIN_LIMIT_BYTES = 16 * 1024 * 1024;

/** Reads a UTF-8 body of at most `limitBytes`, and never keeps more than that in memory. */
export async function readBody(c: Context, limitBytes: number): Promise<ReadBody> {
  const contentLength = c.req.header('Content-Length');
  if (Number(contentLength ?? 0) > limitBytes) return { kind: 'too-large' };
  const { body } = c.req.raw;
  if (body === null) return { kind: 'text', text: '', bytes: 0 };
  try {
    if (contentLength === undefined) {
      const read = await readLimited(body, { limitBytes, drainBytes: DRAIN_LIMIT_BYTES });
      return read === null ? { kind: 'too-large' } : decoded(read);
    }
    // The runtime delivers at most Content-Length bytes.
    const whole = await c.req.raw.arrayBuffer();
    return whole.byteLength > limitBytes ? { kind: 'too-large' } : decoded(new Uint8Array(whole));
  } catch {
    // Only the connection throws here.
    return { kind: 'broken-off' };
  }
}

function decoded(whole: Uint8Array): ReadBody {
  const text = decodeUtf8(whole);
  return text === null ? { kind: 'not-text' } : { kind: 'text', text, bytes: whole.byteLength };
}
