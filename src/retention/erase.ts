import { v7 as timeOrderedUuid } from 'uuid';
import { bringBack, callBooking } from '../booking/stub.ts';
import { failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { MINUTE_MS } from '../core/time.ts';
import type { Gateway } from '../gateways/gateway.ts';
import type { Database } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { addressDigest } from '../platform/mail/suppression.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import type { Trace } from '../platform/trace.ts';
import { databaseWith } from '../records/archive/read.ts';
import { selectArchivedAmong } from '../records/archive/store.ts';
import { bookingNotFound, uncertain } from '../records/bookings/rules.ts';
import { forgetting } from '../records/history/forget.ts';
import { selectKeptCounts } from '../records/privacy/eraseStore.ts';
import {
  addedUp,
  type Erased,
  type KeptCounts,
  type KeptThing,
  keptOf,
} from '../records/privacy/rules.ts';
import { readProperty } from '../records/properties/read.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import {
  countStaleFiles,
  erasedMailbox,
  type Guest,
  type GuestsApplication,
  looseErasures,
  markErased,
  markStale,
  noteErasure,
  selectApplicationsOf,
  selectArchivedOf,
  selectBookingsOf,
  selectEntriesAbout,
  selectErasure,
  selectLooseCards,
  selectMailIds,
} from './erasureStore.ts';

export interface EraseWork {
  readonly env: Env;
  readonly database: Database;
  readonly trace: Trace;
  readonly gateway: Gateway;
  readonly requestId: string;
  readonly actor: string;
}

/** Whom to erase: the guest of one booking, or whoever has an address. */
export type EraseSubject =
  | { readonly reference: string; readonly email?: undefined }
  | { readonly email: string; readonly reference?: undefined };

export interface Erasure {
  /** Null for a dry run of what was never erased. */
  readonly erasureId: string | null;
  readonly bookings: number;
  readonly erased: readonly Erased[];
  readonly kept: readonly KeptThing[];
}

/**
 * Takes a guest out of all that the service keeps (interface: Erase a guest). Everything that could refuse is asked before
 * anything goes. Cut off on the way, the same request goes on; done again, it erases what has come since, and says what it
 * said of what stays.
 */
export async function erase(
  work: EraseWork,
  propertyId: string,
  subject: EraseSubject,
  dryRun: boolean,
): Promise<Result<Erasure>> {
  const property = await readProperty(work.database, propertyId);
  if (!property.ok) return property;
  const found = await find(work, property.value, subject);
  if (found === null) return err(bookingNotFound());
  // A dry run leaves in the archive what is there.
  if (!dryRun) await bringAllBack(work, found);
  const counted = await eraseBookings(work, found, true);
  if (!counted.ok) return counted;
  const nowMs = propertyNow(property.value);
  const loose = await readLoose(work, found, property.value, nowMs);
  const kept = await readKept(work, found);
  const { erasureId, references } = found;
  const erased = addedUp([...counted.value, ...loose.erased]);
  const answer = { bookings: references.length, erased, kept };
  if (dryRun || (erased.length === 0 && kept.length === 0)) return ok({ erasureId, ...answer });
  const id = erasureId ?? timeOrderedUuid();
  await work.database.of(propertyId).batch('d1.privacy.erase', [
    noteErasure({
      id,
      propertyId,
      subject: found.subject,
      bookings: references,
      actor: work.actor,
      atMs: nowMs,
    }),
  ]);
  const markFiles = async () => {
    const stale = markStale(filesWith(property.value, found), Date.now());
    if (loose.isNew) await work.database.directory.batch('d1.export.expired', [stale]);
  };
  await markFiles();
  const isDone = await eraseLoose(work, loose);
  if (!isDone.ok) return isDone;
  // One that began meanwhile may have read the guest.
  await markFiles();
  const done = await eraseBookings(work, found, false);
  if (done.ok) return ok({ erasureId: id, ...answer });
  // A busy booking is no reason to say that nothing was recorded.
  return done.error.code === 'busy' ? err(uncertain()) : done;
}

/** A guest as a request names them. */
export function guestOf(propertyId: string, { email, reference }: EraseSubject): Guest {
  return { propertyId, reference: reference ?? null, email: email?.toLowerCase() ?? null };
}

interface Found {
  readonly guest: Guest;
  /** As the erasure is noted. */
  readonly subject: string;
  /** The id of an earlier erasure of the same guest; null if there was none. */
  readonly erasureId: string | null;
  readonly references: readonly string[];
  /** Those that are in the archive. */
  readonly archived: readonly string[];
  readonly addresses: readonly string[];
  readonly applications: readonly GuestsApplication[];
  readonly applicationIds: readonly number[];
}

/** Finds what there is of a guest, erased before or not; null for an unknown booking. Two round trips. */
async function find(
  { database }: EraseWork,
  { id: propertyId }: PropertyRow,
  named: EraseSubject,
): Promise<Found | null> {
  const guest = guestOf(propertyId, named);
  const address = guest.email;
  const subject =
    address === null ? `booking ${guest.reference}` : `address ${await addressDigest(address)}`;
  const home = database.of(propertyId);
  const [[earlier], inD1, inArchive] = await home.batch('d1.privacy.read', [
    selectErasure(propertyId, subject),
    selectBookingsOf(guest),
    selectArchivedOf(guest),
  ]);
  const bookings = [...inD1, ...inArchive];
  if (address === null && bookings.length === 0) return null;
  const found = bookings.map((one) => one.reference);
  const references = [...new Set([...(earlier?.bookings ?? []), ...found])];
  // An erasure takes the address by which the archive finds a guest, so a repeated one goes by the references.
  const [applications, archived] = await home.batch('d1.privacy.read', [
    selectApplicationsOf(guest, references),
    selectArchivedAmong(references.map((reference) => ({ propertyId, reference }))),
  ]);
  const all = [address ?? '', ...bookings.map((one) => one.email.toLowerCase())];
  const addresses = [...new Set(all)].filter((one) => one !== '');
  return {
    guest,
    subject,
    erasureId: earlier?.id ?? null,
    references,
    archived: archived.map(({ reference }) => reference),
    addresses,
    applications,
    applicationIds: applications.map((one) => one.id),
  };
}

/** Brings the guest's bookings back from the archive. */
async function bringAllBack(
  { actor, env, requestId, trace }: EraseWork,
  { archived, guest: { propertyId } }: Found,
): Promise<void> {
  for (const reference of archived) {
    const context = { propertyId, reference, requestId, actor };
    await bringBack({ env, trace }, context);
  }
}

/**
 * The databases in which a guest's bookings are read, with their references: those in D1 together, and each that is in the
 * archive as if it stood there.
 */
async function placesOf(
  { database, env, trace }: EraseWork,
  { archived, guest: { propertyId }, references }: Found,
): Promise<[Database, readonly string[]][]> {
  const work = { database, bucket: env.EXPORTS, trace };
  const places: [Database, readonly string[]][] = [[database.of(propertyId), references]];
  for (const reference of archived) {
    const place = await databaseWith(work, { propertyId, reference });
    if (place) places.push([place.of(propertyId), [reference]]);
  }
  return places;
}

/** Has the object of each booking erase its guest, or count what it would erase. Stops at the first that refuses. */
async function eraseBookings(
  { actor, env, requestId, trace }: EraseWork,
  { applications, guest, references }: Found,
  dryRun: boolean,
): Promise<Result<Erased[]>> {
  const all: Erased[] = [];
  const of = (reference: string) => ({
    propertyId: guest.propertyId,
    reference,
    requestId,
    actor,
  });
  for (const reference of references) {
    const name = dryRun ? 'countGuest' : 'eraseGuest';
    const { answer } = await callBooking({ env, trace }, of(reference), name, null);
    if (!answer.ok) return answer;
    all.push(...answer.value);
  }
  const others = applications.flatMap(({ bookingReference }) =>
    bookingReference !== null && !references.includes(bookingReference) ? [bookingReference] : [],
  );
  // Another booking's object may remember an application of the guest.
  for (const reference of dryRun ? [] : new Set(others)) {
    await callBooking({ env, trace }, of(reference), 'forgetGuest', null);
  }
  return ok(all);
}

/** What of a guest belongs to no booking's object, and how it is erased. One round trip, and one to the directory. */
async function readLoose(
  { database }: EraseWork,
  found: Found,
  property: PropertyRow,
  nowMs: number,
) {
  const { addresses, applicationIds, applications, guest, references } = found;
  const { propertyId } = guest;
  const tables = looseErasures(guest, applicationIds, nowMs);
  const [cards, entries, mailIds, ...counts] = await database
    .of(propertyId)
    .batch('d1.privacy.read', [
      selectLooseCards(guest),
      selectEntriesAbout(propertyId, applications),
      selectMailIds(propertyId, references),
      ...tables.map(({ count }) => count),
    ]);
  const mailbox = erasedMailbox(
    addresses,
    references,
    mailIds.map(({ id }) => id),
  );
  const [[inMailbox]] = await database.directory.batch('d1.privacy.read', [mailbox.count]);
  const ofTables = tables.map(({ what }, at) => ({ what, count: counts[at]?.[0]?.count ?? 0 }));
  const isNew = ofTables.some(({ what, count }) => what === 'applications' && count > 0);
  const [[stale]] = isNew
    ? await database.directory.batch('d1.export.find', [
        countStaleFiles(filesWith(property, found)),
      ])
    : [[]];
  // The objects of bookings count the entries of their own.
  const ofNoBooking = entries.filter(({ bookingReference }) => bookingReference === '');
  const erased: Erased[] = [
    ...ofTables,
    { what: mailbox.what, count: inMailbox?.count ?? 0 },
    { what: 'audit trail and events', count: forgetting(ofNoBooking).length },
    { what: 'export files, within a day', count: stale?.count ?? 0 },
  ];
  const writes = [
    markErased(applicationIds, nowMs),
    ...tables.map(({ erase: statement }) => statement),
    ...forgetting(entries),
  ] as const;
  return { propertyId, cards, erased, isNew, mailbox, writes };
}

/** The files that may hold a guest: runs go by real time, which no clock is behind. */
function filesWith({ clockAheadMs, portfolio }: PropertyRow, { applications }: Found) {
  const first = Math.min(...applications.map((one) => one.createdAtMs));
  return { portfolio, sinceMs: first - clockAheadMs - MINUTE_MS };
}

async function eraseLoose(
  { database, gateway, trace }: EraseWork,
  { cards, mailbox, propertyId, writes }: Awaited<ReturnType<typeof readLoose>>,
): Promise<Result<null>> {
  for (const { gatewayToken } of cards) {
    const detached = await trace.span('gateway.detach', () => gateway.detach(gatewayToken));
    if (detached.kind === 'unknown') return err(NOT_DETACHED);
  }
  await database.directory.batch('d1.privacy.erase', [mailbox.erase]);
  await database.of(propertyId).batch('d1.privacy.erase', writes);
  return ok(null);
}

async function readKept(work: EraseWork, found: Found) {
  const { applicationIds, guest } = found;
  const sums: Partial<Record<keyof KeptCounts, number>> = {};
  for (const [place, references] of await placesOf(work, found)) {
    const [[counts]] = await place.batch('d1.privacy.read', [
      selectKeptCounts(guest.propertyId, references, applicationIds),
    ]);
    for (const [name, count] of Object.entries(counts ?? {})) {
      sums[name as keyof KeptCounts] = (sums[name as keyof KeptCounts] ?? 0) + count;
    }
  }
  return keptOf(sums as KeptCounts);
}

const NOT_DETACHED = failure(
  'gateway_error',
  'The acquirer did not say that it detached a card. Not everything is erased; try again.',
);
