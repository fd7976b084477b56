import { SECOND_MS } from '../core/time.ts';
import { withTimeout } from '../core/timeout.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import { describeError } from '../platform/db/errors.ts';
import { decodeUtf8, readLimited } from '../platform/readLimited.ts';
import type { SpanName, Trace } from '../platform/trace.ts';
import { isAllowedAddress } from './rules/address.ts';

/** How long a receiver may take for its response (pms: What counts as confirmed). */
const DEADLINE_MS = 15 * SECOND_MS;

/** The largest response that is read. */
const MOST_BYTES = 1024 * 1024;

/** Who sends, for a receiver's log and firewall (operate: Where requests come from). */
const USER_AGENT = 'booking-payments/1';

export interface Sending {
  readonly trace: Trace;
  readonly keyring: Keyring;
  /** Whether loopback addresses are allowed. */
  readonly local: boolean;
}

/** What is posted, and what is wanted of the answer: its text too, or its status alone. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly wanted: 'text' | 'status';
}

/**
 * The result of a post. `answered`: a response below 500. `unreachable`: no response, or a 5xx, whose `status` is
 * then known. `retryAfterMs` is the delay that the receiver asked for, if any.
 */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly answer: { readonly status: number; readonly text: string };
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: 'unreachable';
      readonly reason: string;
      readonly status: number | null;
      readonly retryAfterMs: number | null;
    };

/**
 * Posts something once. It follows no redirect, reads at most 1 MiB of the response, and stops after 15 s. It checks the
 * address again, because the rules may have changed since the address was set.
 */
export async function post(
  { local, trace }: Pick<Sending, 'trace' | 'local'>,
  span: Extract<SpanName, 'pms.send' | 'webhook.send'>,
  url: string,
  posted: Posted,
): Promise<Exchange> {
  if (!isAllowedAddress(url, local)) {
    return unreachable('the address is not allowed');
  }
  const abort = new AbortController();
  const onTimeout = () => {
    abort.abort();
    return unreachable('no answer within 15 s');
  };
  return trace.span(span, () => {
    const sent = exchange(url, posted, abort.signal).catch((error: unknown) =>
      unreachable(reasonOf(error)),
    );
    return withTimeout(sent, DEADLINE_MS, onTimeout);
  });
}

function unreachable(
  reason: string,
  status: number | null = null,
  retryAfterMs: number | null = null,
): Exchange {
  return { kind: 'unreachable', reason, status, retryAfterMs };
}

/** Why a request failed, without a full stop. Of some connections the runtime gives only a number of its own. */
function reasonOf(error: unknown): string {
  const reason = describeError(error);
  return reason.startsWith('internal error; reference')
    ? 'the connection could not be opened'
    : reason.replace(/\.+$/, '');
}

async function exchange(
  url: string,
  { headers, body, wanted }: Posted,
  signal: AbortSignal,
): Promise<Exchange> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'User-Agent': USER_AGENT },
    body,
    redirect: 'manual',
    signal,
  });
  const retryAfterMs = retryAfter(response);
  const text = wanted === 'text' ? await textOf(response) : await discarded(response);
  const { status } = response;
  if (status >= 500) {
    return unreachable(`HTTP ${status}`, status, retryAfterMs);
  }
  return { kind: 'answered', answer: { status, text: text ?? '' }, retryAfterMs };
}

/** The text of a response; null if it is too long or not UTF-8. */
async function textOf({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const read = await readLimited(body, { limitBytes: MOST_BYTES, drainBytes: MOST_BYTES });
  return read && decodeUtf8(read);
}

/** Nobody needs the body: it is not waited for. */
async function discarded({ body }: Response): Promise<string> {
  await body?.cancel().catch(() => undefined);
  return '';
}

/** The delay that the receiver asked for: `Retry-After` in seconds or as a date. */
function retryAfter(response: Response): number | null {
  const header = response.headers.get('Retry-After');
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}
