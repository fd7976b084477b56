import { offsetTimestamp } from '../../core/time.ts';
import type { AttemptKind } from '../../delivery/outgoing.ts';
import { post, type Sending } from '../../delivery/post.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { pmsCredentials } from '../ask.ts';
import { type Envelope, jsonBody, posted } from '../rules/envelope.ts';
import { isRecord, mapValues } from '../rules/messages.ts';
import {
  confirmationNumberIn,
  isRefusal,
  type PmsAnswer,
  type PmsFormat,
  readReply,
} from '../rules/reply.ts';
import { DEFAULT_NAMESPACE, soapBody } from '../rules/soap.ts';
import { payloadOf } from './payloads.ts';
import type { DueMessage } from './store.ts';

/** The result of one attempt. A PMS `denied` it by 401 or 403, which says nothing about the message. */
export type Delivery =
  | { readonly kind: 'confirmed'; readonly confirmationNumber: string | null }
  | {
      readonly kind: Exclude<AttemptKind, 'confirmed'>;
      readonly reason: string;
      readonly retryAfterMs: number | null;
    };

/** Sends a queued message to its property's PMS once. */
export async function deliver(
  sending: Sending,
  property: PropertyRow,
  message: DueMessage,
): Promise<Delivery> {
  const credentials = await pmsCredentials(sending.keyring, property);
  if (credentials === null || property.pmsUrl === null) {
    const reason = 'the PMS credentials are missing or can no longer be decrypted';
    return { kind: 'unsent', reason, retryAfterMs: null };
  }
  const format = formatOf(property, message);
  const envelope = envelopeOf(property, message);
  const body =
    format === 'XML'
      ? soapBody(envelope, credentials, property.pmsNamespace ?? DEFAULT_NAMESPACE)
      : jsonBody(envelope, credentials);
  const exchange = await post(sending, 'pms.send', property.pmsUrl, posted(body));
  if (exchange.kind === 'unreachable') return exchange;
  const reply = readReply(exchange.answer, format, message.messageId);
  if (reply.ok) return { kind: 'confirmed', confirmationNumber: confirmationNumberIn(reply.value) };
  const kind = kindOf(exchange.answer, format, message.messageId);
  return { kind, reason: reply.error, retryAfterMs: exchange.retryAfterMs };
}

/** What a PMS refuses that answers so: its user, the message, or nothing that it says. */
function kindOf(answer: PmsAnswer, format: PmsFormat, messageId: string) {
  if (answer.status === 401 || answer.status === 403) return 'denied';
  return isRefusal(answer, format, messageId) ? 'refused' : 'unconfirmed';
}

/** Only transactions go out as XML, and only where the property asks for it. */
function formatOf(property: PropertyRow, { messageType }: DueMessage): PmsFormat {
  return messageType === 'PushTransaction' ? property.pmsTransactionFormat : 'JSON';
}

function envelopeOf(property: PropertyRow, message: DueMessage): Envelope {
  return {
    messageId: message.messageId,
    timeStamp: offsetTimestamp(message.createdAtMs, property.timeZone),
    messageType: message.messageType,
    members: withConfirmationNumber(message),
  };
}

/** Fills in the PMS's number of the booking, which may have arrived after the message was queued. */
function withConfirmationNumber(message: DueMessage) {
  const { confirmationNumber } = message;
  const payload = payloadOf(message);
  if (confirmationNumber === null) return payload;
  return mapValues(payload, (_name, data) =>
    isRecord(data) && 'PMSConfirmationNumber' in data
      ? { ...data, PMSConfirmationNumber: confirmationNumber }
      : data,
  );
}
