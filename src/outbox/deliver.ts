import { offsetTimestamp } from '../core/time.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import type { Crossings } from '../io/crossings.ts';
import { pmsCredentials } from '../pms/credentials.ts';
import { type Envelope, jsonBody, type PmsCredentials } from '../pms/envelope.ts';
import { confirmationNumberIn, type PmsFormat, readReply } from '../pms/reply.ts';
import { sendToPms } from '../pms/send.ts';
import { DEFAULT_NAMESPACE, soapBody } from '../pms/soap.ts';
import type { DueMessage } from './store.ts';

/**
 * What became of one try. `unreachable` means that the PMS itself gave no answer or a 5xx; `refused`, that it
 * answered, but not rightly; `unsent`, that it was not asked at all.
 */
export type Delivery =
  | { readonly kind: 'confirmed'; readonly confirmationNumber: string | null }
  | {
      readonly kind: 'refused' | 'unreachable' | 'unsent';
      readonly reason: string;
      readonly retryAfterMs: number | null;
    };

/** What sending takes. */
export interface Sending {
  readonly crossings: Crossings;
  readonly keyring: Keyring;
  /** Whether loopback addresses are allowed. */
  readonly local: boolean;
}

/** Sends a queued message to its property's PMS once, and says what came of it. */
export async function deliver(
  { crossings, keyring, local }: Sending,
  property: PropertyRow,
  message: DueMessage,
): Promise<Delivery> {
  const credentials = await pmsCredentials(keyring, property);
  if (credentials === null || property.pmsUrl === null) {
    const reason = 'the credentials of the PMS are not there, or their key is no longer kept';
    return { kind: 'unsent', reason, retryAfterMs: null };
  }
  const format = formatOf(property, message);
  const body = write(format, envelopeOf(property, message), credentials, property.pmsNamespace);
  const exchange = await sendToPms(crossings, { url: property.pmsUrl, local }, body);
  if (exchange.kind === 'unreachable') return exchange;
  const reply = readReply(exchange.answer, format, message.messageId);
  return reply.ok
    ? { kind: 'confirmed', confirmationNumber: confirmationNumberIn(reply.value) }
    : { kind: 'refused', reason: reply.error, retryAfterMs: exchange.retryAfterMs };
}

/** Only transactions go out as XML, and only where the property asks for it. */
function formatOf(property: PropertyRow, { messageType }: DueMessage): PmsFormat {
  return messageType === 'PushTransaction' ? property.pmsTransactionFormat : 'JSON';
}

function write(
  format: PmsFormat,
  envelope: Envelope,
  credentials: PmsCredentials,
  namespace: string | null,
) {
  return format === 'XML'
    ? soapBody(envelope, credentials, namespace ?? DEFAULT_NAMESPACE)
    : jsonBody(envelope, credentials);
}

function envelopeOf(property: PropertyRow, message: DueMessage): Envelope {
  return {
    messageId: message.messageId,
    timeStamp: offsetTimestamp(message.createdAtMs, property.timeZone),
    messageType: message.messageType,
    members: withConfirmationNumber(message),
  };
}

/** The number that the PMS gave to the booking may have become known only after the message was queued. */
function withConfirmationNumber({ payload, confirmationNumber }: DueMessage) {
  if (confirmationNumber === null) return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([name, data]) => [
      name,
      isObject(data) && 'PMSConfirmationNumber' in data
        ? { ...data, PMSConfirmationNumber: confirmationNumber }
        : data,
    ]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
