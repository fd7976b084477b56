import type { Failure, JsonObject } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type FailureAnswer, insufficientScope } from '../../http/access.ts';
import type { AppContext } from '../../http/context.ts';
import { internalError } from '../../http/internalError.ts';
import { bodyTooLarge, type JsonBody, readJson } from '../../http/json.ts';
import { notifyEndpoints } from '../calls.ts';
import {
  type HeaderCredentials,
  readHeaderCredentials,
  type Sender,
  senderByBody,
  senderByToken,
} from './authenticate.ts';
import { limitOf, type MessageEndpoint, scopesOf } from './endpoints.ts';
import { type MessageHandler, unsupportedMessage } from './handler.ts';
import { errorReply, type Received, successReply } from './reply.ts';

/** Receives a message: authenticates the sender, carries out the message and replies (pms: Messages from the PMS). */
export async function receive(c: AppContext, endpoint: MessageEndpoint): Promise<Response> {
  // `process` fills this in as it reads, so that every reply can echo the message, even after an exception.
  const received: Received = { message: null, property: null };
  try {
    const processed = await process(c, endpoint, received);
    return processed.ok
      ? successReply(c, received, processed.value)
      : errorReply(c, received, processed.error);
  } catch (error) {
    return errorReply(c, received, { failure: internalError(c, error) });
  }
}

async function process(
  c: AppContext,
  endpoint: MessageEndpoint,
  received: Received,
): Promise<Result<JsonObject, FailureAnswer>> {
  const credentials = await readHeaderCredentials(c);
  if (!credentials.ok) return err({ failure: credentials.error });
  // Read the body even if the token is invalid: the error reply echoes the MessageID.
  const body = await readJson(c, limitOf(endpoint));
  if (body.ok) received.message = body.value.value;
  const message = body.ok ? checkSize(endpoint, body.value) : body;
  const sender = await senderOf(c, endpoint, credentials.value, message);
  if (!sender.ok) return sender;
  received.property = sender.value.property;
  if (!message.ok) return err({ failure: message.error });
  return handle(c, endpoint, sender.value, message.value);
}

async function handle(
  c: AppContext,
  endpoint: MessageEndpoint,
  { property, scopes }: Sender,
  message: object,
): Promise<Result<JsonObject, FailureAnswer>> {
  const handler = handlerOf(endpoint, message);
  if (!handler) return err({ failure: unsupportedMessage(message, [...endpoint.handlers.keys()]) });
  if (!scopes.includes(handler.scope)) return err(insufficientScope([handler.scope]));
  const handled = await handler.handle({ database: c.get('database'), property }, message);
  // Applications move by messages too.
  if (handler.scope === 'applications') notifyEndpoints(c, property.id);
  return handled.ok ? handled : err({ failure: handled.error });
}

/** Authenticates the sender. With a token, authentication errors win over body errors; without one, body errors win. */
async function senderOf(
  c: AppContext,
  endpoint: MessageEndpoint,
  credentials: HeaderCredentials,
  message: Result<object, Failure>,
): Promise<Result<Sender, FailureAnswer>> {
  if (credentials.by === 'token') {
    return senderByToken(c, credentials.caller, scopesOf(endpoint));
  }
  return message.ok ? senderByBody(c, message.value) : err({ failure: message.error });
}

/** Checks the limit of the message's own type: the endpoint's limit is that of its largest type. */
function checkSize(endpoint: MessageEndpoint, { value, bytes }: JsonBody): Result<object, Failure> {
  const limitBytes = handlerOf(endpoint, value)?.limitBytes ?? limitOf(endpoint);
  return bytes > limitBytes ? err(bodyTooLarge(limitBytes)) : ok(value);
}

function handlerOf(endpoint: MessageEndpoint, message: object): MessageHandler | undefined {
  const { MessageType: type }: { MessageType?: unknown } = message;
  return typeof type === 'string' ? endpoint.handlers.get(type) : undefined;
}
