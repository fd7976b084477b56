import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { sumOf } from '../core/sum.ts';
import { addDays, startOfDayMs } from '../core/time.ts';
import { type Database, queries } from '../platform/db/database.ts';
import { comesAfter, type Key, type Part, pageAmong, pageOf } from '../platform/db/page.ts';
import { placesOfProperty } from '../records/audit/changes.ts';
import { selectLateMovements } from '../records/history/daySumsStore.ts';
import { history, type Movement } from '../schema/historyTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { settingsChanges } from '../schema/recordTables.ts';
import { withClientNames } from './nameStore.ts';
import { MOVED } from './reports/figures.ts';
import { type Share, sharesWith } from './reports/read.ts';
import { type Span, selectShares } from './reports/store.ts';

/** The kinds of what people do with money, and the movements of each. */
export const KINDS = {
  taken: MOVED.taken,
  refunded: MOVED.refunded,
  disputed: MOVED.withdrawn,
} as const satisfies Record<string, readonly Movement[]>;

export type Kind = keyof typeof KINDS;

/** What an audit asks for: the days of a property, and one kind or one actor only. */
export interface AuditQuery {
  readonly span: Span;
  readonly kind: Kind | null;
  readonly actor: string | null;
}

export type Moved = Awaited<ReturnType<typeof selectMoved>>[number];
export type Actor = ReturnType<typeof actorsOf>[number];
export type Change = Awaited<ReturnType<typeof selectChanges>>[number];

/** Where an entry is among what was moved, and among the changes. */
export const keyOfMoved = (row: Moved): Key => [row.atMs, row.bookingReference, row.sequence];
export const keyOfChange = (row: Change): Key => [row.id];

/**
 * Reads who moved how much money of a property on some days, the latest first, who they are, and the changes of its people
 * and settings. One round trip; one more where there are many databases, for the names of clients.
 */
export async function readAudit(
  database: Database,
  property: Pick<PropertyRow, 'id' | 'portfolio' | 'timeZone'>,
  query: AuditQuery,
  parts: { readonly moved: Part; readonly changes: Part },
) {
  const [own = '', portfolio = '', everywhere = ''] = placesOfProperty(property);
  const changesOf = (place: string) => selectChanges(place, parts.changes);
  const [ofPeople, [moved, settings, shares, late]] = await database.ofBoth(
    'd1.audit.read',
    [changesOf(own), changesOf(portfolio), changesOf(everywhere)],
    property.id,
    [
      selectMoved(property, query, parts.moved),
      changesOf(database.isMany ? own : ''),
      selectShares({ propertyId: property.id, ...query.span }),
      selectLateMovements({ propertyId: property.id }),
    ],
  );
  // What a property in the directory's database has of its own, both found.
  const all = new Map([...ofPeople.flat(), ...settings].map((row) => [row.id, row]));
  const actors = actorsOf(sharesWith(property, query.span, shares, late));
  const named = await withClientNames(database, actors);
  const names = new Map(named.map((row) => [row.actor, row.actorName]));
  const movedBy = moved.map((row) => ({
    ...row,
    actorName: row.actorName ?? names.get(row.actor) ?? null,
  }));
  return {
    actors: named,
    moved: pageOf(movedBy, parts.moved.limit, keyOfMoved),
    changes: pageAmong('descending', [...all.values()], parts.changes, keyOfChange),
  };
}

function selectMoved(
  { id, timeZone }: Pick<PropertyRow, 'id' | 'timeZone'>,
  { actor, kind, span: { from, to } }: AuditQuery,
  { after, limit }: Part,
) {
  const { bookingReference, occurredAtMs, sequence } = history;
  const order = [occurredAtMs, bookingReference, sequence];
  return queries
    .select({
      ...pick(
        history,
        'propertyId',
        'bookingReference',
        'sequence',
        'actor',
        'actorName',
        'detail',
      ),
      kind: sql<Movement>`${history.movement}`.as('kind'),
      currency: sql<string>`${history.currency}`.as('in_currency'),
      amountMinor: sql<number>`${history.amountMinor}`.as('moved_minor'),
      atMs: sql<number>`${history.occurredAtMs}`.as('at_ms'),
    })
    .from(history)
    .where(
      and(
        eq(history.propertyId, id),
        isNotNull(history.movement),
        isNotNull(history.chargeId),
        sql`${occurredAtMs} >= ${startOfDayMs(from, timeZone)} AND ${occurredAtMs} < ${startOfDayMs(addDays(to, 1), timeZone)}`,
        actor === null ? undefined : eq(history.actor, actor),
        kind === null ? undefined : inArray(history.movement, KINDS[kind]),
        comesAfter('descending', order, after),
      ),
    )
    .orderBy(...order.map((column) => desc(column)))
    .limit(limit + 1);
}

/** What the movements of a kind come to, in minor units. */
function minorOf(kind: Kind, shares: readonly Share[]): number {
  const those: readonly Movement[] = KINDS[kind];
  return sumOf(
    shares.filter((share) => those.includes(share.kind)),
    'amountMinor',
  );
}

/** Who moved money on some days, and how much: who refunded most comes first. */
function actorsOf(shares: readonly Share[]) {
  return [...Map.groupBy(shares, ({ actor }) => actor)]
    .map(([actor, theirs]) => ({
      actor,
      actorName: theirs.find(({ actorName }) => actorName !== null)?.actorName ?? null,
      takenMinor: minorOf('taken', theirs),
      refundedMinor: -minorOf('refunded', theirs),
    }))
    .toSorted(
      (one, other) => other.refundedMinor - one.refundedMinor || other.takenMinor - one.takenMinor,
    );
}

function selectChanges(of: string, { after, limit }: Part) {
  const { id, place } = settingsChanges;
  return queries
    .select()
    .from(settingsChanges)
    .where(and(eq(place, of), comesAfter('descending', [id], after)))
    .orderBy(desc(id))
    .limit(limit + 1);
}
