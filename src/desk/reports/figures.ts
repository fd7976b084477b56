import { and, desc, eq, gte, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { sumOf } from '../../core/sum.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { namesBooking } from '../../records/bookings/store.ts';
import { DECLINE_CODE, selectLateFailures } from '../../records/history/dayFailuresStore.ts';
import { AGENCY, selectLateMovements } from '../../records/history/daySumsStore.ts';
import { clients } from '../../schema/accessTables.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { disbursements } from '../../schema/disbursementTables.ts';
import { history, type Movement } from '../../schema/historyTables.ts';
import { type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { ACTOR_NAME } from '../nameStore.ts';
import { readUntaken, sharesWith } from './read.ts';
import { boundsOf, type Span, selectShares } from './store.ts';

/** The movements that a figure of the report adds up. */
export const MOVED = {
  taken: ['charge', 'capture', 'correction'],
  refunded: ['refund', 'reversal'],
  withdrawn: ['chargeback', 'chargeback_reversal'],
} as const satisfies Record<string, readonly Movement[]>;

/** A figure of the report that movements of charges make, in one currency. */
export interface MovedFigure {
  readonly of: keyof typeof MOVED;
  readonly currency: string;
  /**
   * Only those of one brand, empty where it is not known; of one agency's virtual cards, empty for those of guests; of one
   * purpose; by one actor. Undefined: all.
   */
  readonly brand?: string | undefined;
  readonly agency?: string | undefined;
  readonly purpose?: TransactionRow['purpose'] | undefined;
  readonly actor?: string | undefined;
}

/** A figure that payments make which were not taken, in one currency. */
export interface UntakenFigure {
  readonly of: 'Declined' | 'Failed';
  readonly currency: string;
  /** Only those for this reason; undefined: all. */
  readonly declineCode?: string | undefined;
}

/** What a figure comes to: how many entries stand behind it, and their sum in minor units. */
export interface FigureTotal {
  readonly number: number;
  readonly amountMinor: number;
}

/** Some days of a property, as instants. */
export type Within = ReturnType<typeof daysOf>;

export function daysOf({ id, timeZone }: Pick<PropertyRow, 'id' | 'timeZone'>, span: Span) {
  const [bounds = { fromMs: 0, beforeMs: 0 }] = boundsOf([span], timeZone);
  return { propertyId: id, timeZone, span, ...bounds };
}

/** Reads what a figure comes to. One round trip, and one more for what failed. */
export async function readTotal(
  database: Database,
  within: Within,
  figure: MovedFigure | UntakenFigure,
): Promise<FigureTotal> {
  return isMoved(figure)
    ? readMovedTotal(database, within, figure)
    : readUntakenTotal(database, within, figure);
}

async function readUntakenTotal(
  database: Database,
  { propertyId: id, span, timeZone }: Within,
  { currency, declineCode, of }: UntakenFigure,
): Promise<FigureTotal> {
  const [late] = await database.batch('d1.console.read', [selectLateFailures({ propertyId: id })]);
  const untaken = await readUntaken(database, { id, timeZone }, [span], late);
  const behind = untaken.filter(
    (one) =>
      one.status === of &&
      one.currency === currency &&
      (declineCode ?? one.declineCode ?? '') === (one.declineCode ?? ''),
  );
  return totalOf(behind);
}

async function readMovedTotal(
  database: Database,
  { propertyId, span, timeZone }: Within,
  { actor, agency, brand, currency, of, purpose }: MovedFigure,
): Promise<FigureTotal> {
  const [sums, late] = await database.batch('d1.console.read', [
    selectShares({ propertyId, ...span }),
    selectLateMovements({ propertyId }),
  ]);
  const those: readonly Movement[] = MOVED[of];
  const behind = sharesWith({ timeZone }, span, sums, late).filter(
    (share) =>
      those.includes(share.kind) &&
      share.currency === currency &&
      (brand ?? share.brand ?? '') === (share.brand ?? '') &&
      (agency ?? share.agency ?? '') === (share.agency ?? '') &&
      (purpose ?? share.purpose) === share.purpose &&
      (actor ?? share.actor) === share.actor,
  );
  return totalOf(behind);
}

function totalOf(behind: readonly FigureTotal[]): FigureTotal {
  return { number: sumOf(behind, 'number'), amountMinor: sumOf(behind, 'amountMinor') };
}

/** Reads how many payouts some days have, and what the acquirer kept of them. One round trip. */
export async function readFeesTotal(
  database: Database,
  { beforeMs, fromMs, propertyId }: Within,
  currency: string,
): Promise<FigureTotal> {
  const { effectiveAtMs, feeMinor } = disbursements;
  const [[total]] = await database.batch('d1.console.read', [
    queries
      .select({
        number: sql<number>`count(*)`.as('number'),
        amountMinor: sql<number>`coalesce(sum(${feeMinor}), 0)`.as('sum_minor'),
      })
      .from(disbursements)
      .where(
        and(
          eq(disbursements.propertyId, propertyId),
          gte(effectiveAtMs, fromMs),
          lt(effectiveAtMs, beforeMs),
          eq(disbursements.currency, currency),
        ),
      ),
  ]);
  return total ?? { number: 0, amountMinor: 0 };
}

export function isMoved(figure: MovedFigure | UntakenFigure): figure is MovedFigure {
  return figure.of in MOVED;
}

/** What lists of payments show of the booking and the card. */
const shown = {
  ...pick(bookings, 'firstName', 'lastName'),
  brand: cards.brand,
  last4: cards.last4,
};

/** Selects the movements that a figure adds up, the latest first. */
export function selectBehind(within: Within, figure: MovedFigure, { after, limit }: Part) {
  const { actor, bookingReference, occurredAtMs, sequence } = history;
  const order = [occurredAtMs, bookingReference, sequence];
  return queries
    .select({
      ...pick(history, 'propertyId', 'bookingReference', 'sequence', 'actor', 'subjectKind'),
      ...pick(history, 'subjectId', 'gatewayReference'),
      actorName: ACTOR_NAME.as('name_of_actor'),
      kind: sql<Movement>`${history.movement}`.as('kind'),
      currency: sql<string>`${history.currency}`.as('in_currency'),
      amountMinor: sql<number>`${history.amountMinor}`.as('moved_minor'),
      feeMinor: sql<number>`${history.feeMinor}`.as('fees_in_it_minor'),
      atMs: sql<number>`${occurredAtMs}`.as('moved_at_ms'),
      chargeId: sql<number>`${transactions.id}`.as('of_charge'),
      purpose: transactions.purpose,
      ...shown,
    })
    .from(history)
    .innerJoin(transactions, eq(transactions.id, history.chargeId))
    .innerJoin(bookings, namesBooking(transactions))
    .leftJoin(cards, eq(cards.token, transactions.cardToken))
    .leftJoin(clients, eq(clients.id, actor))
    .where(and(stoodBehind(within, figure), comesAfter('descending', order, after)))
    .orderBy(...order.map((column) => desc(column)))
    .limit(limit + 1);
}

/** Selects the payments that a figure counts which were not taken, the latest first. */
export function selectUntakenOf(within: Within, figure: UntakenFigure, { after, limit }: Part) {
  const { id, learntAtMs } = transactions;
  return queries
    .select({
      ...pick(transactions, 'id', 'propertyId', 'bookingReference', 'kind', 'purpose', 'status'),
      ...pick(transactions, 'currency', 'amountMinor', 'declineCode'),
      atMs: sql<number>`${learntAtMs}`.as('at_ms'),
      ...shown,
    })
    .from(transactions)
    .innerJoin(bookings, namesBooking(transactions))
    .leftJoin(cards, eq(cards.token, transactions.cardToken))
    .where(and(wasUntaken(within, figure), comesAfter('descending', [learntAtMs, id], after)))
    .orderBy(desc(learntAtMs), desc(id))
    .limit(limit + 1);
}

/** Whether a movement is one of those behind a figure. */
function stoodBehind(
  { beforeMs, fromMs, propertyId }: Within,
  { actor, agency, brand, currency, of, purpose }: MovedFigure,
): SQL | undefined {
  const { movement, occurredAtMs } = history;
  return and(
    eq(history.propertyId, propertyId),
    isNotNull(movement),
    gte(occurredAtMs, fromMs),
    lt(occurredAtMs, beforeMs),
    inArray(movement, MOVED[of]),
    eq(history.currency, currency),
    brand === undefined ? undefined : sql`coalesce(${cards.brand}, '') = ${brand}`,
    agency === undefined ? undefined : sql`${AGENCY} = ${agency}`,
    purpose === undefined ? undefined : eq(transactions.purpose, purpose),
    actor === undefined ? undefined : eq(history.actor, actor),
  );
}

/** Whether a payment is one of those that a figure counts. */
function wasUntaken(
  { beforeMs, fromMs, propertyId }: Within,
  { currency, declineCode, of }: UntakenFigure,
): SQL | undefined {
  const { learntAtMs, status } = transactions;
  return and(
    eq(transactions.propertyId, propertyId),
    literally(status, 'Declined', 'Failed'),
    gte(learntAtMs, fromMs),
    lt(learntAtMs, beforeMs),
    eq(status, of),
    eq(transactions.currency, currency),
    declineCode === undefined ? undefined : sql`coalesce(${DECLINE_CODE}, '') = ${declineCode}`,
  );
}

export type MovedRow = Awaited<ReturnType<typeof selectBehind>>[number];
export type UntakenRow = Awaited<ReturnType<typeof selectUntakenOf>>[number];
