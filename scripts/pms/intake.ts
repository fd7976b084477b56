import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Behaviour } from './behaviour.ts';
import { type Body, readBody } from './body.ts';
import { deliver } from './deliver.ts';
import { dataIn, type Envelope, readEnvelope, referenceIn } from './envelope.ts';
import { textIn } from './members.ts';
import type { Received } from './received.ts';
import { type Credentials, refusalOf } from './refusal.ts';
import { replyTo } from './reply.ts';
import type { PmsState } from './state.ts';

/** The context of receiving messages. */
export interface Intake {
  readonly state: PmsState;
  readonly credentials: Credentials;
  /** The target of the `redirect` behaviour. */
  readonly trap: string;
  /** Receives a line for every message. */
  readonly progress: (line: string) => void;
}

/** Reads a message, stores it, and answers by the current behaviour. */
export async function takeMessage(
  { state, credentials, trap, progress }: Intake,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const envelope = readEnvelope(body);
  const refusal = refusalOf(envelope, credentials);
  const behaviour = state.behaviour.next(described(envelope));
  const received = keep(state, { body, envelope, refusal, behaviour });
  progress(lineOf(received));
  const reply = replyTo(envelope, refusal, behaviour.mode, state.hotel);
  await deliver(response, reply, behaviour, {
    trap,
    taken: (bytes) => {
      received.bytesTaken = bytes;
    },
  });
}

function described(envelope: Envelope) {
  const { members } = envelope;
  return {
    messageId: textIn(members, 'MessageID'),
    messageType: textIn(members, 'MessageType'),
    timeStamp: textIn(members, 'TimeStamp'),
    reference: referenceIn(dataIn(envelope)),
  };
}

interface Judged {
  readonly body: Body;
  readonly envelope: Envelope;
  readonly refusal: string | null;
  readonly behaviour: Behaviour;
}

function keep(state: PmsState, { body, envelope, refusal, behaviour }: Judged): Received {
  const description = described(envelope);
  const received: Received = {
    ...description,
    format: envelope.format,
    namespace: envelope.namespace,
    contentType: body.contentType,
    contentLength: body.contentLength,
    data: dataIn(envelope),
    receivedAt: new Date().toISOString(),
    duplicate: refusal === null && state.hotel.hasTaken(description.messageId),
    answered: behaviour.mode,
    refusal,
    bytesTaken: behaviour.mode === 'huge' ? 0 : null,
  };
  state.messages.push(received);
  return received;
}

function lineOf(received: Received): string {
  const { messageType, reference, messageId, format, answered, duplicate, refusal } = received;
  const line = [
    messageType,
    ...(reference === null ? [] : [reference]),
    messageId,
    format,
    `→ ${answered}`,
    ...(duplicate ? ['(again)'] : []),
    ...(refusal === null ? [] : [`(refused: ${refusal})`]),
  ].join(' ');
  // Input from the network must not control the terminal.
  return line.replaceAll(/\p{Cc}/gu, '?');
}
