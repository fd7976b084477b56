import { and, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import { MINUTE_MS } from '../../core/time.ts';
import { queries, type Statement } from '../../platform/db/database.ts';
import { prepared, type RowOf } from '../../platform/db/prepared.ts';
import { clients } from '../../schema/accessTables.ts';
import { type CardRow, cards } from '../../schema/cardTables.ts';
import { history } from '../../schema/historyTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import { properties } from '../../schema/propertyTables.ts';
import { daySums, daySumsProgress } from '../../schema/sumTables.ts';
import { lastEventNumber } from './store.ts';

/** From how many events on a sweep sums up a property. */
const WORTH = 200;

/** Clocks of all zones differ by quarters of an hour: what happened within one is of the same day everywhere. */
export const QUARTER_MS = 15 * MINUTE_MS;

/** The last event of a property that is summed up. */
export function summedUp(propertyId: unknown) {
  return sql<number>`coalesce((SELECT event_number FROM day_sums_progress WHERE property_id = ${propertyId}), 0)`;
}

/** Whose virtual card a card is: its channel, or `virtual` where none is named; empty for a guest's own card. */
export const AGENCY = sql<string>`iif(${cards.virtual} IS NULL, '', coalesce(${cards.virtual} ->> '$.channel', 'virtual'))`;

/** The same of a card at hand. */
export function agencyOf({ virtual }: Pick<CardRow, 'virtual'>): string {
  return virtual === null ? '' : (virtual.channel ?? 'virtual');
}

/** Movements that are summed up: of the same day, with the same kind of card, for the same purpose, by the same actor. */
export type DaySum = Omit<typeof daySums.$inferSelect, 'propertyId'>;

/**
 * Whether an entry is the first that says that a bank approved a hold. One that was called off before that was known has no
 * name at the acquirer, unless a correction finds it there.
 */
const IS_APPROVAL = sql`${transactions.kind} = 'authorization' AND ${transactions.gatewayReference} IS NOT NULL AND (${history.to} IN ('Authorized', 'Accepted') OR ${history.to} IN ('Released', 'Expired') AND ${transactions.correctedAtMs} IS NULL) AND NOT EXISTS (SELECT 1 FROM history AS earlier WHERE earlier.property_id = history.property_id AND earlier.booking_reference = history.booking_reference AND earlier.sequence < history.sequence AND earlier.charge_id = history.charge_id AND earlier.to_state IN ('Authorized', 'Accepted'))`;

/** What is summed up, of which time, and what it is to say. */
const WHAT = {
  moved: {
    is: isNotNull(history.movement),
    movement: sql<DaySum['movement']>`${history.movement}`,
    atMs: sql`${history.occurredAtMs}`,
    amountMinor: sql`${history.amountMinor}`,
    feeMinor: sql`${history.feeMinor}`,
  },
  held: {
    is: IS_APPROVAL,
    movement: sql<DaySum['movement']>`'hold'`,
    atMs: sql`${transactions.createdAtMs}`,
    amountMinor: sql`${transactions.amountMinor}`,
    feeMinor: sql`0`,
  },
} as const;

/** Selects the movements, or approved holds, of a property's events that are not summed up, by quarters of an hour. */
function selectNext(what: keyof typeof WHAT, propertyId: unknown, further?: SQL) {
  const { actor, actorName, chargeId, currency, eventNumber } = history;
  const { amountMinor, atMs, feeMinor, is, movement } = WHAT[what];
  const brand = sql<string>`coalesce(${cards.brand}, '')`;
  const ofCharge = sql<string>`coalesce(${currency}, ${transactions.currency})`;
  return queries
    .select({
      occurredAtMs: sql<number>`min(${atMs})`.as('moved_at_ms'),
      currency: ofCharge.as('in_currency'),
      movement: movement.as('kind'),
      brand: brand.as('of_brand'),
      agency: AGENCY.as('agency'),
      purpose: transactions.purpose,
      actor,
      actorName: sql<string | null>`max(${actorName})`.as('name_of_actor'),
      clientName: clients.name,
      number: sql<number>`count(*)`.as('number'),
      amountMinor: sql<number>`sum(${amountMinor})`.as('moved_minor'),
      feeMinor: sql<number>`sum(${feeMinor})`.as('fees_in_it_minor'),
    })
    .from(history)
    .innerJoin(transactions, eq(transactions.id, chargeId))
    .leftJoin(cards, eq(cards.token, transactions.cardToken))
    .leftJoin(clients, eq(clients.id, actor))
    .where(
      and(
        eq(history.propertyId, sql`${propertyId}`),
        gt(eventNumber, summedUp(propertyId)),
        is,
        further,
      ),
    )
    .groupBy(
      sql`${atMs} / ${sql.raw(String(QUARTER_MS))}`,
      ofCharge,
      movement,
      brand,
      AGENCY,
      transactions.purpose,
      actor,
    );
}

interface OfProperty {
  readonly propertyId: string;
}

/** What was moved, or held, in a quarter of an hour and is not summed up yet. */
export type LateSum = RowOf<typeof selectLateMovements>;

/** Selects the movements that are not summed up yet: a sweep keeps them few. */
export const selectLateMovements = prepared<OfProperty>()(({ propertyId }) =>
  selectNext('moved', propertyId),
);

/** The same of the holds that banks approved. */
export const selectLateHolds = prepared<OfProperty>()(({ propertyId }) =>
  selectNext('held', propertyId),
);

/** Selects the last event of a property that is summed up. */
export function selectSummedUp(propertyId: string) {
  return queries
    .select({ eventNumber: summedUp(propertyId).as('summed_up') })
    .from(properties)
    .where(eq(properties.id, propertyId));
}

/** Selects properties of which so much is to be summed up that it is worth a batch. */
export function selectToSumUp(limit: number) {
  const id = sql`${properties.id}`;
  return queries
    .select({ id: properties.id, timeZone: properties.timeZone })
    .from(properties)
    .where(sql`${lastEventNumber(id)} - ${summedUp(id)} > ${WORTH}`)
    .limit(limit);
}

/** The statements that read a property's next events: how far they go, what they moved and held, and when what failed. */
export function selectNextEvents(id: string, most: number) {
  const next = sql`(SELECT event_number FROM history WHERE property_id = ${id} AND event_number > ${summedUp(id)} ORDER BY event_number LIMIT ${most})`;
  const upTo = sql<number | null>`(SELECT max(event_number) FROM ${next})`;
  const range = queries
    .select({
      from: summedUp(id).as('summed_up'),
      upTo: upTo.as('up_to'),
      latest: sql<number>`${lastEventNumber(id)}`.as('latest'),
    })
    .from(properties)
    .where(eq(properties.id, id));
  const isNext = sql`${history.eventNumber} <= ${upTo}`;
  return {
    range,
    moved: selectNext('moved', id, isNext),
    held: selectNext('held', id, isNext),
    isNext,
  };
}

/** Notes how far it is summed up now. The column refuses the batch where it was not as far as `from` before. */
export function noteProgress(propertyId: string, from: number, upTo: number) {
  const eventNumber = sql`(SELECT ${upTo} WHERE ${summedUp(propertyId)} = ${from})`;
  return queries
    .insert(daySumsProgress)
    .values({ propertyId, eventNumber })
    .onConflictDoUpdate({
      target: daySumsProgress.propertyId,
      set: { eventNumber: sql`excluded.event_number` },
    });
}

/** Adds movements to their days: in the batch that notes how far it is summed up, or that records them and no event. */
export function addToDays(propertyId: string, sums: readonly DaySum[]): Statement {
  const days = Map.groupBy(sums, (sum) => JSON.stringify(BY.map((name) => sum[name])));
  const rows = [...days.values()].map((same) => same.reduce(added));
  const values = sql.join(
    KEYS.map((_, at) => sql`value ->> ${sql.raw(String(at))}`),
    sql`, `,
  );
  const list = JSON.stringify(rows.map((row) => KEYS.map((name) => row[name])));
  return queries
    .insert(daySums)
    .select(sql`SELECT ${propertyId}, ${values} FROM json_each(${list}) WHERE true`)
    .onConflictDoUpdate({
      target: [daySums.propertyId, ...BY.map((name) => daySums[name])],
      set: {
        actorName: sql`coalesce(excluded.actor_name, ${daySums.actorName})`,
        number: sql`${daySums.number} + excluded.number`,
        amountMinor: sql`${daySums.amountMinor} + excluded.amount_minor`,
        feeMinor: sql`${daySums.feeMinor} + excluded.fee_minor`,
      },
    });
}

/** By what movements are summed up, and all columns but the property's, in their order. */
const BY = ['day', 'currency', 'movement', 'brand', 'agency', 'purpose', 'actor'] as const;
const KEYS = [...BY, 'actorName', 'number', 'amountMinor', 'feeMinor'] as const;

function added(one: DaySum, other: DaySum): DaySum {
  return {
    ...one,
    actorName: other.actorName ?? one.actorName,
    number: one.number + other.number,
    amountMinor: one.amountMinor + other.amountMinor,
    feeMinor: one.feeMinor + other.feeMinor,
  };
}
