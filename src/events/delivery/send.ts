import { type Exchange, post, type Sending } from '../../delivery/post.ts';
import type { WebhookEndpointRow } from '../../schema/eventTables.ts';
import { signatureHeaders, signingSecrets } from '../endpoints/secrets.ts';

/** What is delivered: by its id, a receiver knows a repetition. */
export interface SentEvent {
  readonly eventId: string;
  readonly body: object;
}

/**
 * Sends an event to an endpoint once, signed by Standard Webhooks (interface: Deliveries); null if its secret can no longer
 * be decrypted. The time of the signature is real time.
 */
export async function sendEvent(
  sending: Sending,
  endpoint: WebhookEndpointRow,
  { eventId: id, body }: SentEvent,
): Promise<Exchange | null> {
  const atMs = Date.now();
  const secrets = await signingSecrets(sending.keyring, endpoint, atMs);
  if (secrets.length === 0) return null;
  const text = JSON.stringify(body);
  return post(sending, 'webhook.send', endpoint.url, {
    headers: {
      'Content-Type': 'application/json',
      ...(await signatureHeaders(secrets, { id, atMs, body: text })),
    },
    body: text,
    wanted: 'status',
  });
}

/** Whether an endpoint confirmed what it got: by any 2xx. */
export function isConfirmed(exchange: Exchange): boolean {
  if (exchange.kind !== 'answered') return false;
  const { status } = exchange.answer;
  return status >= 200 && status <= 299;
}

/** The HTTP status of an endpoint's answer; null without one. */
export function statusOf(exchange: Exchange): number | null {
  return exchange.kind === 'answered' ? exchange.answer.status : exchange.status;
}
