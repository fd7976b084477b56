import { and, desc, eq, gte, isNotNull, type SQL, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { isBefore } from '../../platform/db/narrow.ts';
import { comesAfter, type Key, type Page, type Part, pageOf } from '../../platform/db/page.ts';
import { namesBooking } from '../../records/bookings/store.ts';
import type { VirtualState } from '../../records/cards/rules/virtual.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { DUE_MINOR } from '../balance/bookingMoney.ts';
import { stateOf, type VirtualCardToShow } from './views.ts';

/** Which of a property's virtual cards to list. Bounds are of the time from which they are active, `toMs` exclusive. */
export interface VirtualCardFilter {
  readonly state?: VirtualState | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** What the property's clock shows. */
  readonly nowMs: number;
}

/** How many parts of the list are read at most for one page of one state. */
const MOST_ROUNDS = 5;

/** How many cards a part of one state has at least: what is left of a card, and when it ends, no index has. */
const LEAST_READ = 50;

/** As the index says it. */
const ACTIVE_FROM = sql<number>`(${cards.virtual} ->> '$.activeFromMs')`;

/**
 * Lists a property's virtual cards, that which becomes active last first (interface: List virtual cards). A page of one
 * state may be short, even empty, and not the last. One round trip for each part that it looks through.
 */
export async function listVirtualCards(
  database: Database,
  propertyId: string,
  filter: VirtualCardFilter,
  { limit, after }: Part,
): Promise<Page<VirtualCardToShow>> {
  const most = filter.state === undefined ? limit : Math.max(limit, LEAST_READ);
  const found: VirtualCardToShow[] = [];
  let next = after ?? null;
  for (let round = 1; round <= MOST_ROUNDS && found.length <= limit; round += 1) {
    const part = { limit: most, after: next ?? undefined };
    const [rows] = await database.batch('d1.card.find', [
      selectVirtualCards(propertyId, filter, part),
    ]);
    const page = pageOf(rows.flatMap(toShow), part.limit, keyOf);
    found.push(...page.rows.filter((card) => isWanted(card, filter)));
    next = page.next;
    if (next === null) break;
  }
  const page = pageOf(found, limit, keyOf);
  return { rows: page.rows, next: page.next ?? next };
}

function isWanted(card: VirtualCardToShow, { state, nowMs }: VirtualCardFilter): boolean {
  return state === undefined || stateOf(card, nowMs) === state;
}

type Found = ReturnType<typeof selectVirtualCards>['_']['result'][number];

function toShow({ virtual, totalCostMinor, dueMinor, ...card }: Found): VirtualCardToShow[] {
  if (virtual === null) return [];
  return [{ ...card, virtual, totalCostMinor: totalCostMinor ?? 0, dueMinor: dueMinor ?? 0 }];
}

function keyOf({ virtual, token }: VirtualCardToShow): Key {
  return [virtual.activeFromMs, token];
}

/** Selects a part of a property's virtual cards, with what their bookings owe. */
function selectVirtualCards(propertyId: string, filter: VirtualCardFilter, { limit, after }: Part) {
  return queries
    .select({
      ...pick(cards, 'bookingReference', 'token', 'masked', 'virtual'),
      ...pick(cards, 'takenMinor', 'heldMinor', 'refundedMinor'),
      totalCostMinor: bookings.totalCostMinor,
      dueMinor: sql<number | null>`${DUE_MINOR}`.as('due_minor'),
    })
    .from(cards)
    .leftJoin(bookings, namesBooking(cards))
    .where(
      and(
        eq(cards.propertyId, propertyId),
        isNotNull(cards.virtual),
        filter.fromMs === undefined ? undefined : gte(ACTIVE_FROM, filter.fromMs),
        isBefore(ACTIVE_FROM, filter.toMs, after),
        // SQLite finds no row of an expression's index by more than one value.
        after && sql`${ACTIVE_FROM} <= ${after[0]}`,
        hasBegun(filter, after),
        comesAfter('descending', [ACTIVE_FROM, cards.token], after),
      ),
    )
    .orderBy(desc(ACTIVE_FROM), desc(cards.token))
    .limit(limit + 1);
}

/** What the beginning of a card alone says of the state that is asked for. */
function hasBegun({ nowMs, state }: VirtualCardFilter, after: Part['after']): SQL | undefined {
  if (state === undefined) return undefined;
  return state === 'notActive'
    ? sql`${ACTIVE_FROM} > ${nowMs}`
    : isBefore(ACTIVE_FROM, nowMs + 1, after);
}
