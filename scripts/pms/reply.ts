import { randomUUID } from 'node:crypto';
import type { Mode } from './behaviour.ts';
import type { Envelope } from './envelope.ts';
import type { Hotel } from './hotel.ts';
import type { Members } from './members.ts';
import { writeSoap } from './soap.ts';

/** An answer's body and its content type. */
export interface Reply {
  readonly contentType: string;
  readonly text: string;
}

/**
 * The modes that answer `Success`, or try to: the PMS accepts the message. In all other modes it does not, so that a
 * retry is not a duplicate.
 */
const TAKING: readonly Mode[] = ['right', 'huge', 'drip', 'close-late'];

/** Applies a message to the hotel's records, and returns the reply (pms: Envelope). */
export function replyTo(
  envelope: Envelope,
  refusal: string | null,
  mode: Mode,
  hotel: Hotel,
): Reply {
  const { MessageID, TimeStamp, EchoData } = envelope.members;
  const members = {
    MessageID: mode === 'wrong-id' ? randomUUID() : MessageID,
    TimeStamp,
    ...(EchoData === undefined ? {} : { EchoData }),
    ...outcome(envelope, refusal, mode, hotel),
  };
  const { format, namespace } = envelope;
  if (format === 'XML' && namespace !== null && mode !== 'huge') {
    const text = writeSoap(namespace, members);
    return { contentType: 'application/soap+xml; charset=utf-8', text };
  }
  return { contentType: 'application/json', text: JSON.stringify(members) };
}

function outcome(envelope: Envelope, refusal: string | null, mode: Mode, hotel: Hotel): Members {
  if (refusal !== null) return { Status: 'Error', ErrorMessage: refusal };
  if (mode === 'error')
    return { Status: 'Error', ErrorMessage: 'Refusing this message on request' };
  return { Status: 'Success', ...(TAKING.includes(mode) ? hotel.take(envelope) : {}) };
}
