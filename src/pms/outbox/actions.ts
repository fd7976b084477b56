import { failure } from '../../core/failure.ts';
import { propertyTime, REAL_TIME } from '../../core/propertyClock.ts';
import { err, ok, type Result, refuse } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { pageFound, pageOfAll } from '../../platform/db/narrow.ts';
import type { Page, Part } from '../../platform/db/page.ts';
import { logWarning } from '../../platform/log.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { selectClock, selectProperty } from '../../records/properties/store.ts';
import type { OutboxRow } from '../../schema/outboxTables.ts';
import { type ListOf, selectList } from './listStore.ts';
import {
  dismissMessages,
  type RepairOf,
  type ReplayOf,
  recordMessages,
  replayMessages,
} from './replayStore.ts';
import { promoteNext, selectMessage } from './store.ts';

/** How many messages of one change the log names. */
const MOST_LOGGED = 100;

const keyOf = ({ messageId }: OutboxRow) => [messageId];

/** Lists messages of one or all properties (interface: List outbox messages). One round trip. */
export async function listMessages(
  database: Database,
  of: ListOf,
  part: Part,
): Promise<Result<Page<OutboxRow>>> {
  if (of.property === undefined) {
    const pages = await database.everywhere('d1.outbox.read', selectList(of, part));
    return ok(pageOfAll(pages, part.limit, 'ascending', keyOf));
  }
  const [[property], ...found] = await database.batch('d1.outbox.read', [
    selectProperty(of.property),
    ...selectList(of, part),
  ]);
  if (!property) return err(propertyNotFound());
  return ok(pageFound<OutboxRow>(found, part.limit, keyOf));
}

/** How many messages a change affected, and the address of their PMS, if there is one. */
export interface Changed {
  readonly count: number;
  readonly pmsUrl: string | null;
}

/** The client who replays or dismisses messages, and the request. */
export interface Operator {
  readonly clientId: string;
  /** The name of a person of the staff; left out for an administrator's client. */
  readonly name?: string;
  readonly requestId: string;
}

/**
 * Makes one unconfirmed message, or all dead ones of a property, due now, with all their attempts ahead of them; or discards
 * one, so that the later ones of its booking go out.
 */
export async function changeMessages(
  database: Database,
  which: Exclude<ReplayOf, RepairOf>,
  to: 'Pending' | 'Dismissed',
  by: Operator,
  nowMs: number,
): Promise<Result<Changed>> {
  const messageId = 'messageId' in which ? which.messageId : '';
  const known =
    'messageId' in which
      ? await database.rowAnywhere('d1.outbox.read', selectMessage(messageId))
      : null;
  const propertyId = 'property' in which ? which.property : known?.propertyId;
  if (propertyId === undefined) return err(MESSAGE_NOT_FOUND);
  const home = database.of(propertyId);
  const atMs = await timeOf(home, propertyId, nowMs);
  const change = to === 'Pending' ? replayMessages : dismissMessages;
  const [[property], , changed, [message]] = await home.batch('d1.outbox.change', [
    selectProperty(propertyId),
    recordMessages(which, to, { actor: by.clientId, actorName: by.name ?? null, atMs }),
    change(which, atMs),
    selectMessage(messageId),
    ...(known && to === 'Dismissed' ? [promoteNext(known, atMs)] : []),
  ]);
  if (!property) return err(propertyNotFound());
  // A repeated dismissal succeeds.
  if (message && changed.length === 0 && message.status !== to) {
    return refuse('invalid_state', `The message is ${message.status}.`);
  }
  logChanges(to === 'Pending' ? 'message_replayed' : 'message_dismissed', changed, by);
  return ok({ count: changed.length, pmsUrl: property.pmsUrl });
}

/** What the clock of a property shows at a real time. */
async function timeOf(database: Database, propertyId: string, realMs: number): Promise<number> {
  const [[clock]] = await database.batch('d1.clock.read', [selectClock({ id: propertyId })]);
  return propertyTime(clock ?? REAL_TIME, realMs);
}

/** Logs each message, up to {@link MOST_LOGGED}; the audit trails have them all. */
function logChanges(
  event: 'message_replayed' | 'message_dismissed',
  changed: Awaited<ReturnType<typeof dismissMessages>>,
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

const MESSAGE_NOT_FOUND = failure('message_not_found', 'No message has this id.');
