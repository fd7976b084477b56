import { and, asc, eq, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { callBooking } from '../booking/stub.ts';
import { addDays, DAY_MS, localDate } from '../core/time.ts';
import { type Database, type Finds, openDatabase, queries } from '../platform/db/database.ts';
import { literally } from '../platform/db/indexes.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { Trace } from '../platform/trace.ts';
import { databaseWith } from '../records/archive/read.ts';
import { selectOutside } from '../records/archive/store.ts';
import { bookings } from '../schema/bookingTables.ts';
import { archivedBookings, retentionProgress } from '../schema/lifeTables.ts';
import { type PropertyRow, properties } from '../schema/propertyTables.ts';
import { type EraseWork, erase } from './erase.ts';

/** How many bookings are looked at in one go: nobody waits for the whole of a large property. */
const PER_PAGE = 500;

/** How many of a property one sweep erases or archives; the next one goes on. */
const MOST_PER_SWEEP = 50;

/** How long a request archives. */
const MOST_MS = 20_000;

/**
 * Archives every booking of a property that has nothing open and whose departure is past (interface: Archive now). Returns
 * how many. What it does not come to in its time, the next call does.
 */
export async function archiveAll(work: EraseWork, property: PropertyRow): Promise<number> {
  const left = {
    propertyId: property.id,
    before: localDate(propertyNow(property), property.timeZone),
  };
  const endMs = Date.now() + MOST_MS;
  const goesOn = () => Date.now() < endMs;
  return eachLeft(work, left, goesOn, (reference) => archiveOne(work, property.id, reference));
}

/** Bookings of a property whose guests have left before a day. */
interface Left {
  readonly propertyId: string;
  readonly before: string;
  /** Of which kind they are. */
  readonly which?: SQL;
  /** Whether only those are looked through that have their guest's address: who was erased has none. */
  readonly withGuest?: boolean;
}

/** The last booking that was looked at: its arrival, or its guest's address, and its reference. */
interface Place {
  readonly key: string;
  readonly reference: string;
}

/** A booking that is looked at, and whether it is one of those. */
interface Found extends Place {
  readonly hasLeft: number;
}

/** Does something with each for as long as `goesOn` says. Returns with how many it was done: what is open waits. */
async function eachLeft(
  work: EraseWork,
  left: Left,
  goesOn: (done: number) => boolean,
  act: (reference: string) => Promise<boolean>,
  select: (left: Left, after: Place | undefined) => Finds<Found> = selectLeft,
): Promise<number> {
  let done = 0;
  let after: Place | undefined;
  do {
    const [page] = await work.database
      .of(left.propertyId)
      .batch('d1.archive.read', [select(left, after)]);
    for (const { hasLeft, reference } of page) {
      if (hasLeft === 0) continue;
      if (!goesOn(done)) return done;
      if (await act(reference)) done += 1;
    }
    after = page.length < PER_PAGE ? undefined : page.at(-1);
  } while (after !== undefined);
  return done;
}

async function archiveOne(
  { actor, env, requestId, trace }: EraseWork,
  propertyId: string,
  reference: string,
): Promise<boolean> {
  const context = { propertyId, reference, requestId, actor };
  const { answer } = await callBooking({ env, trace }, context, 'archive', null);
  return answer.ok;
}

/** Selects the next archived bookings whose guest is not erased, by their address. Their files say more. */
function selectLeftInArchive({ before, propertyId }: Left, after: Place | undefined) {
  const { arrival, email, reference, state } = archivedBookings;
  const key = sql<string>`lower(${email})`;
  return queries
    .select({ key: key.as('key_of_left'), reference, hasLeft: sql<number>`1`.as('has_left') })
    .from(archivedBookings)
    .where(
      and(
        eq(archivedBookings.propertyId, propertyId),
        literally(state, 'archived'),
        // By the index of addresses: those who were erased have none.
        sql`${key} > ''`,
        lt(arrival, before),
        after && sql`(${key}, ${reference}) > (${after.key}, ${after.reference})`,
      ),
    )
    .orderBy(key, asc(reference))
    .limit(PER_PAGE);
}

/** Selects the next bookings, by their arrival or their guest's address, and which of them it is about. */
function selectLeft({ before, propertyId, which, withGuest }: Left, after: Place | undefined) {
  const { arrival, reference } = bookings;
  const key = withGuest ? sql<string>`lower(${bookings.email})` : sql<string>`${arrival}`;
  return queries
    .select({
      key: key.as('key_of_left'),
      reference,
      hasLeft: sql<number>`departure < ${before}${which && sql` AND ${which}`}`.as('has_left'),
    })
    .from(bookings)
    .where(
      and(
        eq(bookings.propertyId, propertyId),
        // No stay begins after it ends.
        withGuest ? sql`${key} > ''` : lt(arrival, before),
        after && sql`(${key}, ${reference}) > (${after.key}, ${after.reference})`,
      ),
    )
    .orderBy(key, asc(reference))
    .limit(PER_PAGE);
}

/** Bookings whose departure, and last movement of money, lie so many days back. */
function leftSince(property: PropertyRow, days: number): Left {
  const beforeMs = propertyNow(property) - days * DAY_MS;
  const before = addDays(localDate(beforeMs, property.timeZone), 1);
  const which = sql`NOT EXISTS (SELECT 1 FROM history WHERE property_id = bookings.property_id AND booking_reference = bookings.reference AND movement IS NOT NULL AND at_ms > ${beforeMs})`;
  return { propertyId: property.id, before, which };
}

/**
 * Does what a property's setting `retention` asks for today: erases guests and archives bookings, at most so many. Returns
 * whether nothing is left to do.
 */
export async function retain(
  work: EraseWork,
  property: PropertyRow,
  most = MOST_PER_SWEEP,
): Promise<boolean> {
  const { eraseGuestsAfterDays: eraseDays, archiveAfterDays: archiveDays } =
    property.retention ?? {};
  let done = 0;
  const goesOn = (more: number) => done + more < most;
  if (eraseDays !== undefined) {
    const eraseOne = async (reference: string) =>
      (await erase(work, property.id, { reference }, false)).ok;
    const left = { ...leftSince(property, eraseDays), withGuest: true };
    done += await eachLeft(work, left, goesOn, eraseOne);
    const eraseArchived = async (reference: string) =>
      (await hasLeftIn(work, left, reference)) && (await eraseOne(reference));
    done += await eachLeft(work, left, goesOn, eraseArchived, selectLeftInArchive);
  }
  if (archiveDays !== undefined) {
    done += await eachLeft(work, leftSince(property, archiveDays), goesOn, (reference) =>
      archiveOne(work, property.id, reference),
    );
  }
  return done < most;
}

/** Whether an archived booking is one of those: its file says it. */
async function hasLeftIn(
  { database, env, trace }: EraseWork,
  { before, propertyId, which }: Left,
  reference: string,
): Promise<boolean> {
  const archive = { database, bucket: env.EXPORTS, trace };
  const place = await databaseWith(archive, { propertyId, reference });
  if (place === null) return false;
  const isOne = and(eq(bookings.propertyId, propertyId), eq(bookings.reference, reference));
  const [found] = await place.of(propertyId).batch('d1.archive.read', [
    queries
      .select({ reference: bookings.reference })
      .from(bookings)
      .where(and(isOne, sql`departure < ${before}`, which)),
  ]);
  return found.length > 0;
}

/**
 * Once a day of each property that asks for it, by its clock, lets go of what it does not need any more. Each call does a
 * bounded part; a day is over once nothing is left. Files of the archive that a crash left over go whatever a property asks
 * for: only the object of their booking knows that none is being written.
 */
export async function sweepRetention(
  env: Env,
  gateway: EraseWork['gateway'],
  of?: string,
): Promise<number> {
  const trace = new Trace();
  const database = openDatabase(env, trace).limitedTo(of);
  const found = await database.everyAnswering('d1.sweep.read', [
    queries
      .select()
      .from(properties)
      .where(and(isNotNull(properties.retention), sql`${properties.clockFrozenAtMs} IS NULL`)),
    queries.select().from(retentionProgress),
    selectOutside(PER_PAGE),
  ]);
  const work = { env, database, trace, gateway, requestId: crypto.randomUUID(), actor: 'sweep' };
  let swept = 0;
  for (const [all, days, leftOver] of found) {
    for (const { propertyId, reference } of leftOver) {
      const context = { propertyId, reference, requestId: work.requestId, actor: work.actor };
      await callBooking(work, context, 'dropLeftover', null);
    }
    for (const property of all) {
      const today = localDate(propertyNow(property), property.timeZone);
      if (days.some((one) => one.propertyId === property.id && one.day >= today)) continue;
      try {
        if (await retain(work, property)) await noteDay(database, property.id, today);
        swept += 1;
      } catch (error) {
        logError('retention_failed', error, { property: property.id });
      }
    }
  }
  return swept;
}

async function noteDay(database: Database, propertyId: string, day: string): Promise<void> {
  await database
    .of(propertyId)
    .batch('d1.archive.save', [
      queries
        .insert(retentionProgress)
        .values({ propertyId, day })
        .onConflictDoUpdate({ target: retentionProgress.propertyId, set: { day } }),
    ]);
}
