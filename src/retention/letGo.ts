import { DAY_MS, MINUTE_MS } from '../core/time.ts';
import { followOwed, selectFarBehind } from '../money/balance/owed.ts';
import { deleteOldKeys, type KeyPlace, selectNextKeys } from '../operation/idempotencyStore.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import { payloadOf } from '../pms/outbox/payloads.ts';
import { rebuiltMessages, type Sources, selectSources } from '../pms/outbox/rebuilt.ts';
import { sumUp } from '../records/history/daySums.ts';
import { selectToSumUp } from '../records/history/daySumsStore.ts';
import { selectProperty } from '../records/properties/store.ts';
import type { OutboxRow } from '../schema/outboxTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import {
  deleteDeliveries,
  deleteMessages,
  type EventRange,
  entriesIn,
  saveProgress,
  selectDelivered,
  selectLettable,
  selectRangeEnd,
} from './letGoStore.ts';

/**
 * How long messages, deliveries and answers are kept once they have done their work, in real time: no clock of a property is
 * behind it. The interface promises answers for 30 days.
 */
const KEPT_MS = 31 * DAY_MS;

/** A property is seen to when it has a day's worth. */
const WORTH_MS = DAY_MS;

/** How often a sweep looks. */
const EVERY_MS = 10 * MINUTE_MS;

/** How many ranges of events, and how many pages of keys, one sweep goes through; the next one goes on. */
const MOST_RANGES = 40;
const MOST_KEY_PAGES = 200;

/**
 * Lets go of what has done its work (parts: Letting go), notes what is owed where nobody looked for long (parts: What is
 * owed), and sums up what was moved (parts: Sums of days). Returns of how many properties something was let go.
 */
export async function sweepLetGo(env: Env, nowMs: number, of?: string): Promise<number> {
  if (nowMs % EVERY_MS >= MINUTE_MS) return 0;
  const database = openDatabase(env, new Trace()).limitedTo(of);
  const beforeMs = nowMs - KEPT_MS;
  const found = await database.everyAnswering('d1.sweep.read', [
    selectLettable(beforeMs - WORTH_MS, MOST_RANGES),
    selectFarBehind(MOST_RANGES),
    selectToSumUp(MOST_RANGES),
  ]);
  for (const { propertyId: id } of found.flatMap(([, behind]) => behind)) {
    await following(id, followOwed(database.of(id), id, MOST_RANGES));
  }
  for (const property of found.flatMap(([, , many]) => many)) {
    await following(property.id, sumUp(database.of(property.id), property, MOST_RANGES));
  }
  let ranges = 0;
  let seen = 0;
  for (const { after, propertyId } of found.flatMap(([lettable]) => lettable)) {
    if (ranges >= MOST_RANGES) break;
    try {
      ranges += await letGo(database, { propertyId, after }, beforeMs, MOST_RANGES - ranges);
      seen += 1;
    } catch (error) {
      logError('letting_go_failed', error, { property: propertyId });
    }
  }
  return seen;
}

/** Waits for what follows a property's events. A failure is logged: the next sweep goes on. */
async function following(property: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => logError('following_failed', error, { property }));
}

/** Goes through a property's next events, then through its keys. Returns how many ranges of events it took. */
async function letGo(
  database: Database,
  { after, propertyId }: Omit<EventRange, 'upTo'>,
  beforeMs: number,
  most: number,
): Promise<number> {
  const home = database.of(propertyId);
  let at = after;
  for (let ranges = 0; ranges < most; ranges += 1) {
    const [[end]] = await home.batch('d1.archive.read', [selectRangeEnd(propertyId, at, beforeMs)]);
    if (end?.upTo == null) {
      await letGoOfKeys(home, propertyId, beforeMs);
      return ranges;
    }
    await letGoOfRange(home, { propertyId, after: at, upTo: end.upTo }, beforeMs);
    at = end.upTo;
  }
  return most;
}

async function letGoOfRange(home: Database, range: EventRange, beforeMs: number): Promise<void> {
  const [[property], messages, ...sources] = await home.batch('d1.archive.read', [
    selectProperty(range.propertyId),
    selectDelivered(range, beforeMs),
    ...selectSources(entriesIn(range)),
  ]);
  const ids = property ? notNeeded(property, messages, sources) : [];
  await home.batch('d1.archive.save', [
    deleteMessages(ids),
    deleteDeliveries(range, beforeMs),
    saveProgress(range),
  ]);
}

/**
 * The messages that nobody needs. The PMS's ledger is compared with those about money, and a repair sends them again: they
 * go only if the records make the very same message again.
 */
function notNeeded(
  property: PropertyRow,
  messages: readonly OutboxRow[],
  sources: Sources,
): string[] {
  const rebuilt = new Map(rebuiltMessages(property, sources).map((one) => [one.messageId, one]));
  return messages.flatMap((message) => {
    const again = rebuilt.get(message.messageId);
    const isNeeded =
      message.messageType === 'PushTransaction'
        ? again === undefined || textOf(again) !== textOf(message)
        : again !== undefined;
    return isNeeded ? [] : [message.messageId];
  });
}

function textOf(message: OutboxRow): string {
  return JSON.stringify(payloadOf(message));
}

/** Deletes old keys, a page after the other: since they end, a property has those of some weeks. */
async function letGoOfKeys(home: Database, propertyId: string, beforeMs: number): Promise<void> {
  let after: KeyPlace | undefined = { operation: '', key: '' };
  for (let pages = 0; after !== undefined && pages < MOST_KEY_PAGES; pages += 1) {
    const [[next]]: [KeyPlace[], unknown] = await home.batch('d1.archive.save', [
      selectNextKeys(propertyId, after),
      deleteOldKeys(propertyId, after, beforeMs),
    ]);
    after = next;
  }
}
