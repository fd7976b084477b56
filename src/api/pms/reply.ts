import type { JsonObject } from '../../core/failure.ts';
import { offsetTimestamp, utcTimestamp } from '../../core/time.ts';
import type { FailureAnswer } from '../../http/access.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { problemResponse } from '../../http/problem.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { type ErrorReplyMembers, messageId, type ReplyHead, timeStamp } from './schemas.ts';

type Echo = Pick<ErrorReplyMembers, 'MessageID' | 'TimeStamp'>;

/** The message and its property, each null until it is known. */
export interface Received {
  message: object | null;
  property: CallerProperty | null;
}

/** The reply to a message that was carried out, with the members of its type (pms: Replies). */
export function successReply(
  c: AppContext,
  received: Readonly<Received>,
  members: JsonObject,
): Response {
  // Handlers accept only messages with a valid MessageID.
  const { MessageID = '', TimeStamp } = echoOf(received);
  const head: ReplyHead = { success: true, MessageID, TimeStamp, Status: 'Success' };
  return c.json({ ...head, ...members }, 200);
}

/** The reply to a message that failed: a problem with the members of the envelope. */
export function errorReply(
  c: AppContext,
  received: Readonly<Received>,
  { failure, ...rest }: FailureAnswer,
): Response {
  const members: ErrorReplyMembers = {
    ...echoOf(received),
    Status: 'Error',
    ErrorMessage: failure.detail,
  };
  return problemResponse(c, failure, { members, ...rest });
}

/** The members of a reply that echo the message. `MessageID` is absent if the message has no valid one. */
function echoOf({ message, property }: Readonly<Received>): Echo {
  const { MessageID, TimeStamp }: { MessageID?: unknown; TimeStamp?: unknown } = message ?? {};
  const id = messageId.safeParse(MessageID);
  const sent = timeStamp.safeParse(TimeStamp);
  return {
    ...(id.success && { MessageID: id.data }),
    TimeStamp: sent.success ? sent.data : now(property),
  };
}

function now(property: CallerProperty | null): string {
  return property
    ? offsetTimestamp(propertyNow(property), property.timeZone)
    : utcTimestamp(Date.now());
}
