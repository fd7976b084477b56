import type { Context } from 'hono';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result, refuse } from '../core/result.ts';
import { decodeUtf8, readLimited } from '../platform/readLimited.ts';

/** A request body: its text, null where that is not UTF-8, and its size. */
export interface ReadBody {
  readonly text: string | null;
  readonly bytes: number;
}

/** How much of a too large body is read and dropped. A connection with an unread body may break before the answer. */
const DRAIN_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Reads a body of at most `limitBytes`, and never keeps more than that in memory. The failure is `body_too_large`, or
 * `invalid_request` where the connection broke off.
 */
export async function readBody(c: Context, limitBytes: number): Promise<Result<ReadBody>> {
  const contentLength = c.req.header('Content-Length');
  if (Number(contentLength ?? 0) > limitBytes) return err(bodyTooLarge(limitBytes));
  const { body } = c.req.raw;
  if (body === null) return ok({ text: '', bytes: 0 });
  try {
    // The runtime delivers at most Content-Length bytes.
    const read =
      contentLength === undefined
        ? await readLimited(body, { limitBytes, drainBytes: DRAIN_LIMIT_BYTES })
        : new Uint8Array(await c.req.raw.arrayBuffer());
    return read === null || read.byteLength > limitBytes
      ? err(bodyTooLarge(limitBytes))
      : ok({ text: decodeUtf8(read), bytes: read.byteLength });
  } catch {
    // Only the connection throws here.
    return refuse('invalid_request', 'The connection ended before the body did.');
  }
}

export function bodyTooLarge(limitBytes: number): Failure {
  return failure(
    'body_too_large',
    `The body is too large: at most ${limitBytes} bytes are allowed.`,
  );
}
