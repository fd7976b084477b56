import { type Failure, failure } from '../../core/failure.ts';
import { propertyTime, REAL_TIME } from '../../core/propertyClock.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Page, Part } from '../../platform/db/page.ts';
import { logWarning } from '../../platform/log.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { selectClock, selectProperty } from '../../records/properties/store.ts';
import type { OutboxRow } from '../../schema/outboxTables.ts';
import {
  dismissMessage,
  type ListOf,
  messagePages,
  promoteNext,
  type ReplayContext,
  type ReplayOf,
  recordMessages,
  replayMessages,
  selectList,
  selectMessage,
} from './store.ts';

/** How many messages of one change the log names. */
const MOST_LOGGED = 100;

/** Lists messages of one or all properties (interface: List outbox messages). One round trip. */
export async function listMessages(
  database: Database,
  of: ListOf,
  part: Part,
): Promise<Result<Page<OutboxRow>, Failure>> {
  const { queries } = database;
  const [[property], rows] = await database.batch('d1.outbox.read', [
    selectProperty(queries, of.property ?? ''),
    selectList(queries, of, part),
  ]);
  if (of.property !== undefined && !property) return err(propertyNotFound());
  return ok(messagePages.cut(rows, part));
}

/** How many messages a change affected, and the address of their PMS, if there is one. */
export interface Changed {
  readonly count: number;
  readonly pmsUrl: string | null;
}

/** The client who replays or dismisses messages, and the request. */
export interface Operator {
  readonly clientId: string;
  readonly requestId: string;
}

/** Makes one unconfirmed message, or all dead ones of a property, due now, with all their attempts ahead of them. */
export async function replay(
  database: Database,
  which: ReplayOf,
  by: Operator,
  nowMs: number,
): Promise<Result<Changed, Failure>> {
  const { queries } = database;
  const propertyId =
    'property' in which ? which.property : await propertyOf(database, which.messageId);
  if (propertyId === null) return err(MESSAGE_NOT_FOUND);
  const atMs = await timeOf(database, propertyId, nowMs);
  const [[property], , replayed, [message]] = await database.batch('d1.outbox.change', [
    selectProperty(queries, propertyId),
    recordMessages(queries, which, 'Pending', recordedBy(by, atMs)),
    replayMessages(queries, which, atMs),
    selectMessage(queries, 'messageId' in which ? which.messageId : ''),
  ]);
  if (!property) return err(propertyNotFound());
  if (message && replayed.length === 0) return err(alreadyCompleted(message));
  logChanges('message_replayed', replayed, by);
  return ok({ count: replayed.length, pmsUrl: property.pmsUrl });
}

/** Discards a message, so that the later ones of its booking go out. */
export async function dismiss(
  database: Database,
  messageId: string,
  by: Operator,
  nowMs: number,
): Promise<Result<Changed, Failure>> {
  const { queries } = database;
  const [[message]] = await database.batch('d1.outbox.read', [selectMessage(queries, messageId)]);
  if (!message) return err(MESSAGE_NOT_FOUND);
  const atMs = await timeOf(database, message.propertyId, nowMs);
  const [, dismissed, , [property]] = await database.batch('d1.outbox.change', [
    recordMessages(queries, { messageId }, 'Dismissed', recordedBy(by, atMs)),
    dismissMessage(queries, messageId, atMs),
    promoteNext(queries, message, atMs),
    selectProperty(queries, message.propertyId),
  ]);
  // A repeated dismissal succeeds.
  if (dismissed.length === 0 && message.status === 'Confirmed')
    return err(alreadyCompleted(message));
  logChanges('message_dismissed', dismissed, by);
  return ok({ count: dismissed.length, pmsUrl: property?.pmsUrl ?? null });
}

function recordedBy({ clientId }: Operator, atMs: number): ReplayContext {
  return { actor: clientId, atMs };
}

/** What the clock of a property shows at a real time. */
async function timeOf(database: Database, propertyId: string, realMs: number): Promise<number> {
  const [[clock]] = await database.batch('d1.clock.read', [
    selectClock(database.queries, propertyId),
  ]);
  return propertyTime(clock ?? REAL_TIME, realMs);
}

/** Logs each message, up to {@link MOST_LOGGED}; the audit trails have them all. */
function logChanges(
  event: 'message_replayed' | 'message_dismissed',
  changed: Awaited<ReturnType<typeof dismissMessage>>,
  { clientId, requestId }: Operator,
): void {
  for (const { messageId, propertyId, bookingReference } of changed.slice(0, MOST_LOGGED)) {
    const about = { requestId, property: propertyId, booking: bookingReference };
    logWarning(event, { ...about, messageId, by: clientId });
  }
  if (changed.length > MOST_LOGGED) {
    const property = changed[0]?.propertyId;
    logWarning(event, { requestId, property, by: clientId, more: changed.length - MOST_LOGGED });
  }
}

async function propertyOf(database: Database, messageId: string): Promise<string | null> {
  const [[message]] = await database.batch('d1.outbox.read', [
    selectMessage(database.queries, messageId),
  ]);
  return message?.propertyId ?? null;
}

function alreadyCompleted({ status }: OutboxRow): Failure {
  return failure('invalid_state', `The message is ${status}.`);
}

const MESSAGE_NOT_FOUND = failure('message_not_found', 'No message has this id.');
