import { and, desc, eq, gt, gte, isNotNull, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { isBefore } from '../../platform/db/narrow.ts';
import { comesAfter, type Key, type Page, type Part, pageOf } from '../../platform/db/page.ts';
import { preparedList } from '../../platform/db/prepared.ts';
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

/** How many cards are looked at for a page of one state, part by part: what is left of a card, and when it ends, no index has. */
const LOOKED_AT = [50, 150] as const;

/** As the index says it. */
const ACTIVE_FROM = sql<number>`(${cards.virtual} ->> '$.activeFromMs')`;

/**
 * Lists a property's virtual cards, that which becomes active last first (interface: List virtual cards). A page of one
 * state may be short, even empty, and not the last. One round trip, or two.
 */
export async function listVirtualCards(
  database: Database,
  propertyId: string,
  filter: VirtualCardFilter,
  { limit, after }: Part,
): Promise<Page<VirtualCardToShow>> {
  const { nowMs, state } = filter;
  const parts = state === undefined ? [limit] : LOOKED_AT.map((part) => Math.max(limit, part));
  const found: VirtualCardToShow[] = [];
  let next = after ?? null;
  for (const most of parts) {
    const [rows] = await database.batch('d1.card.find', [
      selectVirtualCards(askedOf(propertyId, filter), { limit: most, after: next ?? undefined }),
    ]);
    const page = pageOf(rows.flatMap(toShow), most, keyOf);
    found.push(
      ...page.rows.filter((card) => state === undefined || stateOf(card, nowMs) === state),
    );
    next = page.next;
    if (next === null || found.length >= limit) break;
  }
  const page = pageOf(found, limit, keyOf);
  return { rows: page.rows, next: page.next ?? next };
}

type Found = ReturnType<typeof selectVirtualCards>['_']['result'][number];

function toShow({ virtual, totalCostMinor, dueMinor, ...card }: Found): VirtualCardToShow[] {
  if (virtual === null) return [];
  return [{ ...card, virtual, totalCostMinor: totalCostMinor ?? 0, dueMinor: dueMinor ?? 0 }];
}

function keyOf({ virtual, token }: VirtualCardToShow): Key {
  return [virtual.activeFromMs, token];
}

/** Bounds of the time from which a card is active: from, before, and after. */
interface Asked {
  readonly propertyId: string;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly begunBeforeMs: number | undefined;
  readonly beginsAfterMs: number | undefined;
}

/** What a filter asks of the database: of the state, what the beginning of a card alone says. */
function askedOf(propertyId: string, { fromMs, nowMs, state, toMs }: VirtualCardFilter): Asked {
  const isToBegin = state === 'notActive';
  return {
    propertyId,
    fromMs,
    toMs,
    begunBeforeMs: state === undefined || isToBegin ? undefined : nowMs + 1,
    beginsAfterMs: isToBegin ? nowMs : undefined,
  };
}

/** Selects a part of a property's virtual cards, with what their bookings owe. */
const selectVirtualCards = (asked: Asked, part: Part) => selectPart(asked, part)[0];

const selectPart = preparedList<Asked>()(
  ({ beginsAfterMs, begunBeforeMs, fromMs, propertyId, toMs }, { after, most }) => [
    queries
      .select({
        ...pick(cards, 'propertyId', 'bookingReference', 'token', 'virtual'),
        ...pick(cards, 'masked', 'brand', 'last4'),
        ...pick(bookings, 'firstName', 'lastName'),
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
          fromMs && gte(ACTIVE_FROM, fromMs),
          beginsAfterMs && gt(ACTIVE_FROM, beginsAfterMs),
          isBefore(ACTIVE_FROM, toMs, after),
          isBefore(ACTIVE_FROM, begunBeforeMs, after),
          // SQLite finds no row of an expression's index by more than one value.
          after && sql`${ACTIVE_FROM} <= ${after[0]}`,
          comesAfter('descending', [ACTIVE_FROM, cards.token], after),
        ),
      )
      .orderBy(desc(ACTIVE_FROM), desc(cards.token))
      .limit(most),
  ],
);
