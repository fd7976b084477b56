import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { utcTimestamp } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { OutboxRow } from '../db/outboxTables.ts';
import { moneyIds } from '../io/ids.ts';
import { logNotice } from '../io/log.ts';
import { selectProperty } from '../properties/store.ts';
import {
  auditMessages,
  dismissMessage,
  type ListOf,
  type Mending,
  promoteNext,
  type ReplayOf,
  replayMessages,
  selectList,
  selectMessage,
} from './store.ts';

/** How many messages one change tells of in the log. */
const MOST_TOLD = 100;

/** A message as an administrator sees it; times in UTC. `nextAttemptAt` is null while another one is before it. */
export interface MessageView {
  readonly messageId: string;
  readonly messageType: OutboxRow['messageType'];
  readonly property: string;
  readonly reference: string;
  readonly status: OutboxRow['status'];
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastError: string | null;
  readonly createdAt: string;
}

/** A page of the outbox, oldest first; `nextCursor` is null on the last one. */
export interface MessagePage {
  readonly messages: MessageView[];
  readonly nextCursor: string | null;
}

/** Lists messages of one or all properties (decisions: section 13). One round trip. */
export async function listMessages(
  database: Database,
  of: ListOf,
  limit: number,
): Promise<Result<MessagePage, Failure>> {
  const { queries } = database;
  const [[property], rows] = await database.batch('d1.outbox.read', [
    selectProperty(queries, of.property ?? ''),
    selectList(queries, of, limit + 1),
  ]);
  if (of.property !== undefined && !property) return err(propertyNotFound());
  const page = rows.slice(0, limit);
  return ok({
    messages: page.map(messageView),
    nextCursor: rows.length > limit ? (page.at(-1)?.messageId ?? null) : null,
  });
}

function messageView(row: OutboxRow): MessageView {
  return {
    messageId: row.messageId,
    messageType: row.messageType,
    property: row.propertyId,
    reference: row.bookingReference,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.dueAtMs === null ? null : utcTimestamp(row.dueAtMs),
    lastError: row.lastError,
    createdAt: utcTimestamp(row.createdAtMs),
  };
}

/** How many messages a change was about, and which PMS is to be told, if any. */
export interface Changed {
  readonly count: number;
  readonly pmsUrl: string | null;
}

/** The client who mends messages, and the request by which. */
export interface Mender {
  readonly clientId: string;
  readonly requestId: string;
}

/** Makes dead messages, or one that waits, due at once, with all their tries before them. */
export async function replay(
  database: Database,
  which: ReplayOf,
  by: Mender,
  nowMs: number,
): Promise<Result<Changed, Failure>> {
  const { queries } = database;
  const propertyId =
    'property' in which ? which.property : await propertyOf(database, which.messageId);
  if (propertyId === null) return err(messageNotFound());
  const [[property], , replayed, [message]] = await database.batch('d1.outbox.change', [
    selectProperty(queries, propertyId),
    auditMessages(queries, which, 'Pending', mending(by, nowMs)),
    replayMessages(queries, which, nowMs),
    selectMessage(queries, 'messageId' in which ? which.messageId : ''),
  ]);
  if (!property) return err(propertyNotFound());
  if (message && replayed.length === 0) return err(settledAlready(message));
  tell('message_replayed', replayed, by);
  return ok({ count: replayed.length, pmsUrl: property.pmsUrl });
}

/** Gives a message up, so that the later ones of its booking go out. */
export async function dismiss(
  database: Database,
  messageId: string,
  by: Mender,
  nowMs: number,
): Promise<Result<Changed, Failure>> {
  const { queries } = database;
  const [[message]] = await database.batch('d1.outbox.read', [selectMessage(queries, messageId)]);
  if (!message) return err(messageNotFound());
  const [, dismissed, , [property]] = await database.batch('d1.outbox.change', [
    auditMessages(queries, { messageId }, 'Dismissed', mending(by, nowMs)),
    dismissMessage(queries, messageId, nowMs),
    promoteNext(queries, message, nowMs),
    selectProperty(queries, message.propertyId),
  ]);
  // Dismissing it twice comes to the same.
  if (dismissed.length === 0 && message.status === 'Confirmed') return err(settledAlready(message));
  tell('message_dismissed', dismissed, by);
  return ok({ count: dismissed.length, pmsUrl: property?.pmsUrl ?? null });
}

function mending({ clientId }: Mender, nowMs: number): Mending {
  return { actor: clientId, atMs: nowMs, firstId: moneyIds.sequence(nowMs) };
}

/** Tells of each message in the log, up to as many as a log takes; the audit trails have them all. */
function tell(
  event: 'message_replayed' | 'message_dismissed',
  mended: Awaited<ReturnType<typeof dismissMessage>>,
  { clientId, requestId }: Mender,
): void {
  for (const { messageId, propertyId, bookingReference } of mended.slice(0, MOST_TOLD)) {
    const about = { requestId, property: propertyId, booking: bookingReference };
    logNotice(event, { ...about, messageId, by: clientId });
  }
  if (mended.length > MOST_TOLD) {
    const property = mended[0]?.propertyId;
    logNotice(event, { requestId, property, by: clientId, more: mended.length - MOST_TOLD });
  }
}

async function propertyOf(database: Database, messageId: string): Promise<string | null> {
  const [[message]] = await database.batch('d1.outbox.read', [
    selectMessage(database.queries, messageId),
  ]);
  return message?.propertyId ?? null;
}

function settledAlready({ status }: OutboxRow): Failure {
  return failure('invalid_state', `The message is ${status}.`);
}

function messageNotFound(): Failure {
  return failure('message_not_found', 'There is no such message.');
}

function propertyNotFound(): Failure {
  return failure('property_not_found', 'There is no such property.');
}
