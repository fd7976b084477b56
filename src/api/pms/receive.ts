import type { Failure, JsonObject } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { offsetTimestamp, utcTimestamp } from '../../core/time.ts';
import { insufficientScope } from '../../http/access.ts';
import { bodyTooLarge } from '../../http/body.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { orBroughtBack } from '../../http/fromArchive.ts';
import { type JsonBody, readJson } from '../../http/json.ts';
import { internalError, problemResponse } from '../../http/problem.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { Scope } from '../../records/clients/rules/scopes.ts';
import { archiveWork, notifyEndpoints } from '../calls.ts';
import {
  type HeaderCredentials,
  readHeaderCredentials,
  type Sender,
  senderByBody,
  senderByToken,
} from './authenticate.ts';
import { limitOf, type MessageEndpoint, scopesOf } from './endpoints.ts';
import { type MessageHandler, unsupportedMessage } from './handler.ts';
import { type ErrorReplyMembers, messageId, type ReplyHead, timeStamp } from './schemas.ts';

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
    return errorReply(c, received, internalError(c, error));
  }
}

async function process(
  c: AppContext,
  endpoint: MessageEndpoint,
  received: Received,
): Promise<Result<JsonObject>> {
  const credentials = await readHeaderCredentials(c);
  if (!credentials.ok) return credentials;
  // Read the body even if the token is invalid: the error reply echoes the MessageID.
  const body = await readJson(c, limitOf(endpoint));
  if (body.ok) received.message = body.value.value;
  const message = body.ok ? checkSize(endpoint, body.value) : body;
  const sender = await senderOf(c, endpoint, credentials.value, message);
  if (!sender.ok) return sender;
  received.property = sender.value.property;
  if (!message.ok) return message;
  return handle(c, endpoint, sender.value, message.value);
}

async function handle(
  c: AppContext,
  endpoint: MessageEndpoint,
  { property, scopes }: Sender,
  message: object,
): Promise<Result<JsonObject>> {
  const handler = handlerOf(endpoint, message);
  if (!handler) return err(unsupportedMessage(message, [...endpoint.handlers.keys()]));
  if (!scopes.includes(handler.scope)) return err(insufficientScope([handler.scope]));
  const handled = await orBroughtBack(c, () =>
    handler.handle({ ...archiveWork(c), property }, message),
  );
  // Applications move by messages too.
  if (handler.scope === 'applications') notifyEndpoints(c, property.id);
  return handled;
}

/** Authenticates the sender. With a token, authentication errors win over body errors; without one, body errors win. */
async function senderOf(
  c: AppContext,
  endpoint: MessageEndpoint,
  credentials: HeaderCredentials,
  message: Result<object>,
): Promise<Result<Sender>> {
  if (credentials.by === 'token') {
    return senderByToken(c, credentials.caller, scopesFor(endpoint, message));
  }
  return message.ok ? senderByBody(c, message.value) : message;
}

/** The scopes that allow a message: its type's own, or for none of a known type those of what PMSs send. */
function scopesFor(endpoint: MessageEndpoint, message: Result<object>): Scope[] {
  const handler = message.ok ? handlerOf(endpoint, message.value) : undefined;
  return handler ? [handler.scope] : scopesOf(endpoint).filter((scope) => scope !== 'payments');
}

/** Checks the limit of the message's own type: the endpoint's limit is that of its largest type. */
function checkSize(endpoint: MessageEndpoint, { value, bytes }: JsonBody): Result<object> {
  const limitBytes = handlerOf(endpoint, value)?.limitBytes ?? limitOf(endpoint);
  return bytes > limitBytes ? err(bodyTooLarge(limitBytes)) : ok(value);
}

function handlerOf(endpoint: MessageEndpoint, message: object): MessageHandler | undefined {
  const { MessageType: type }: { MessageType?: unknown } = message;
  return typeof type === 'string' ? endpoint.handlers.get(type) : undefined;
}

/** The message and its property, each null until it is known. */
export interface Received {
  message: object | null;
  property: CallerProperty | null;
}

/** The reply to a message that was carried out, with the members of its type (pms: Replies). */
function successReply(c: AppContext, received: Readonly<Received>, members: JsonObject): Response {
  // Handlers accept only messages with a valid MessageID.
  const { MessageID = '', TimeStamp } = echoOf(received);
  const head: ReplyHead = { success: true, MessageID, TimeStamp, Status: 'Success' };
  return c.json({ ...head, ...members }, 200);
}

/** The reply to a message that failed: a problem with the members of the envelope. */
export function errorReply(
  c: AppContext,
  received: Readonly<Received>,
  failure: Failure,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const members: ErrorReplyMembers = {
    ...echoOf(received),
    Status: 'Error',
    ErrorMessage: failure.detail,
  };
  return problemResponse(c, failure, { members, headers });
}

/** The members of a reply that echo the message. `MessageID` is absent if the message has no valid one. */
function echoOf(received: Readonly<Received>): Pick<ErrorReplyMembers, 'MessageID' | 'TimeStamp'> {
  const { message, property } = received;
  const { MessageID, TimeStamp }: { MessageID?: unknown; TimeStamp?: unknown } = message ?? {};
  const id = messageId.safeParse(MessageID);
  const sent = timeStamp.safeParse(TimeStamp);
  const now = property
    ? offsetTimestamp(propertyNow(property), property.timeZone)
    : utcTimestamp(Date.now());
  return {
    ...(id.success && { MessageID: id.data }),
    TimeStamp: sent.success ? sent.data : now,
  };
}
