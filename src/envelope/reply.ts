import type { Failure, JsonObject } from '../core/failure.ts';
import { offsetTimestamp, utcTimestamp } from '../core/time.ts';
import type { Refusal } from '../http/access.ts';
import type { AppContext, CallerProperty } from '../http/context.ts';
import { problemResponse } from '../http/problem.ts';
import { messageId, timeStamp } from './schemas.ts';

/** What a reply says of the message that it answers; without `MessageID` where that could not be read. */
interface Echo {
  readonly MessageID?: string;
  readonly TimeStamp: string;
}

/** The message as far as it was read, and whose it is as far as that is known. */
export interface Received {
  message: object | null;
  property: CallerProperty | null;
}

/** A message was taken: its reply with the members of its type (decisions: section 8). */
export function succeed(
  c: AppContext,
  received: Readonly<Received>,
  members: JsonObject,
): Response {
  return c.json({ success: true, ...echoOf(received), Status: 'Success', ...members }, 200);
}

/** A message was refused: a problem as every other, with the envelope's members. */
export function refuse(c: AppContext, received: Readonly<Received>, refusal: Refusal): Response {
  const { failure, ...rest } = refusal;
  const members = {
    ...failure.members,
    ...echoOf(received),
    Status: 'Error',
    ErrorMessage: failure.detail,
  };
  const told: Failure = { ...failure, members };
  return problemResponse(c, told, { requestId: c.get('requestId'), ...rest });
}

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
  const nowMs = Date.now();
  return property ? offsetTimestamp(nowMs, property.timeZone) : utcTimestamp(nowMs);
}
