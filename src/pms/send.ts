import { SECOND_MS } from '../core/time.ts';
import { withTimeout } from '../core/timeout.ts';
import { describeError } from '../platform/db/errors.ts';
import { decodeUtf8, readLimited } from '../platform/readLimited.ts';
import type { Trace } from '../platform/trace.ts';
import { isAllowedPmsAddress } from './address.ts';
import type { OutgoingBody } from './envelope.ts';
import type { PmsAnswer } from './reply.ts';

/** How long a PMS may take for its complete response (pms: What counts as confirmed). */
const DEADLINE_MS = 15 * SECOND_MS;

/** The largest response that is read. */
const MOST_BYTES = 1024 * 1024;

/** The address of a PMS. */
export interface PmsAddress {
  readonly url: string;
  /** Whether loopback addresses are allowed. */
  readonly local: boolean;
}

/**
 * The result of sending a message. `answered`: a complete response below 500. `unreachable`: no response, or a 5xx.
 * `retryAfterMs` is the delay that the PMS asked for, if any.
 */
export type Exchange =
  | { readonly kind: 'answered'; readonly answer: PmsAnswer; readonly retryAfterMs: number | null }
  | {
      readonly kind: 'unreachable';
      readonly reason: string;
      readonly retryAfterMs: number | null;
    };

/**
 * Posts one message. It follows no redirect, reads at most 1 MiB of the response, and stops after 15 s. It checks the
 * address again, because the rules may have changed since the address was set.
 */
export async function sendToPms(
  trace: Trace,
  { url, local }: PmsAddress,
  message: OutgoingBody,
): Promise<Exchange> {
  if (!isAllowedPmsAddress(url, local)) {
    return unreachable('the address is not allowed');
  }
  const abort = new AbortController();
  const onTimeout = () => {
    abort.abort();
    return unreachable('no answer within 15 s');
  };
  return trace.span('pms.send', () => {
    const sent = post(url, message, abort.signal).catch((error: unknown) =>
      unreachable(reasonOf(error)),
    );
    return withTimeout(sent, DEADLINE_MS, onTimeout);
  });
}

function unreachable(reason: string, retryAfterMs: number | null = null): Exchange {
  return { kind: 'unreachable', reason, retryAfterMs };
}

/** Why a request failed, without a full stop. The runtime tells nothing of some connections but a number of its own. */
function reasonOf(error: unknown): string {
  const reason = describeError(error);
  return reason.startsWith('internal error; reference')
    ? 'the connection could not be opened'
    : reason.replace(/\.+$/, '');
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
  const text = await textOf(response);
  if (response.status >= 500) {
    return unreachable(`HTTP ${response.status}`, retryAfterMs);
  }
  const answer = { status: response.status, text: text ?? '' };
  return { kind: 'answered', answer, retryAfterMs };
}

/** The text of a response; null if it is too long or not UTF-8. */
async function textOf({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const read = await readLimited(body, { limitBytes: MOST_BYTES, drainBytes: MOST_BYTES });
  return read && decodeUtf8(read);
}

/** The delay that the PMS asked for: `Retry-After` in seconds or as a date. */
function retryAfter(response: Response): number | null {
  const header = response.headers.get('Retry-After');
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}
