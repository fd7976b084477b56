import { SECOND_MS } from '../core/time.ts';
import { describeError } from '../db/errors.ts';
import type { Crossings } from '../io/crossings.ts';
import { isAllowedPmsAddress } from './address.ts';
import type { OutgoingBody } from './envelope.ts';
import type { PmsAnswer } from './reply.ts';

/** How long a PMS may take for its whole answer (decisions: section 9). */
const DEADLINE_MS = 15 * SECOND_MS;

/** How much of an answer is read. */
const MOST_BYTES = 1024 * 1024;

/** Where a message goes. */
export interface PmsAddress {
  readonly url: string;
  /** Whether loopback addresses are allowed. */
  readonly local: boolean;
}

/**
 * What came of sending: a complete answer; or none, or one that says that the PMS itself is in trouble (5xx), with
 * how long it asked to be left alone.
 */
export type Exchange =
  | { readonly kind: 'answered'; readonly answer: PmsAnswer; readonly retryAfterMs: number | null }
  | {
      readonly kind: 'unreachable';
      readonly reason: string;
      readonly retryAfterMs: number | null;
    };

/**
 * Posts one message. No redirect is followed, at most 1 MiB of the answer is read, and after 15 s the PMS has not
 * answered. The address is checked again: what was allowed when it was set may be so no longer.
 */
export async function sendToPms(
  crossings: Crossings,
  { url, local }: PmsAddress,
  message: OutgoingBody,
): Promise<Exchange> {
  if (!isAllowedPmsAddress(url, local)) {
    return { kind: 'unreachable', reason: 'the address is not allowed', retryAfterMs: null };
  }
  const abort = new AbortController();
  const late = Promise.withResolvers<Exchange>();
  const timer = setTimeout(() => {
    late.resolve({ kind: 'unreachable', reason: 'no answer within 15 s', retryAfterMs: null });
    abort.abort();
  }, DEADLINE_MS);
  const sent = post(url, message, abort.signal).catch(
    (error: unknown): Exchange => ({
      kind: 'unreachable',
      reason: describeError(error),
      retryAfterMs: null,
    }),
  );
  try {
    return await crossings.cross('pms.send', () => Promise.race([sent, late.promise]));
  } finally {
    clearTimeout(timer);
  }
}

async function post(
  url: string,
  { contentType, body }: OutgoingBody,
  signal: AbortSignal,
): Promise<Exchange> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': contentType },
    body,
    redirect: 'manual',
    signal,
  });
  const retryAfterMs = retryAfter(response);
  const text = await readLimited(response);
  if (response.status >= 500) {
    return { kind: 'unreachable', reason: `HTTP ${response.status}`, retryAfterMs };
  }
  const answer = { status: response.status, text: text ?? '' };
  return { kind: 'answered', answer, retryAfterMs };
}

/** The text of an answer; null for one that is too long or no UTF-8, and so can be no reply. */
async function readLimited(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      await new Blob(chunks).arrayBuffer(),
    );
  } catch {
    return null;
  }
}

/** How long the PMS asked to be left alone: `Retry-After` in seconds or as a date. */
function retryAfter(response: Response): number | null {
  const header = response.headers.get('Retry-After');
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}
