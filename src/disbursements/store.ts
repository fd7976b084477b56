import { and, asc, desc, eq, gte, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { cards } from '../db/cardTables.ts';
import type { Queries } from '../db/database.ts';
import {
  type DisbursementItemRow,
  type DisbursementRow,
  disbursementItems,
  disbursements,
  payoutProgress,
} from '../db/disbursementTables.ts';
import { refunds, transactions } from '../db/moneyTables.ts';
import { properties } from '../db/propertyTables.ts';

/**
 * Records what is paid out, unless it is known; what may change of a known one, its status and arrival, becomes what is
 * said now. The totals are the schema's business.
 */
export function upsertDisbursement(queries: Queries, row: DisbursementRow) {
  const { status, arrivalDate } = row;
  return queries
    .insert(disbursements)
    .values({ ...row, grossMinor: 0, feeMinor: 0, netMinor: 0 })
    .onConflictDoUpdate({
      target: [disbursements.propertyId, disbursements.id],
      set: {
        // What has ended does not go back: of two that look at once, the earlier look may be written last.
        status: sql`CASE WHEN ${disbursements.status} IN ('paid_out', 'failed') AND ${status} IN ('not_paid_out', 'in_transit') THEN ${disbursements.status} ELSE ${status} END`,
        arrivalDate,
      },
    });
}

/** Opens the disbursement of a day, unless it is there. */
export function openDisbursement(queries: Queries, row: DisbursementRow) {
  return queries.insert(disbursements).values(row).onConflictDoNothing();
}

/** Adds an item, unless it is in a disbursement already. */
export function insertItem(queries: Queries, row: DisbursementItemRow) {
  return queries.insert(disbursementItems).values(row).onConflictDoNothing();
}

/** Selects one disbursement of a property. */
export function selectDisbursement(queries: Queries, propertyId: string, id: string) {
  return queries
    .select()
    .from(disbursements)
    .where(and(eq(disbursements.propertyId, propertyId), eq(disbursements.id, id)));
}

/** Selects a disbursement's items, oldest first. */
export function selectItems(queries: Queries, propertyId: string, disbursementId: string) {
  return queries
    .select()
    .from(disbursementItems)
    .where(
      and(
        eq(disbursementItems.propertyId, propertyId),
        eq(disbursementItems.disbursementId, disbursementId),
      ),
    )
    .orderBy(asc(disbursementItems.effectiveAtMs), asc(disbursementItems.id));
}

/** Which disbursements are asked for; the times are those of `effectiveAtMs`. */
export interface DisbursementFilter {
  readonly fromMs: number | null;
  readonly beforeMs: number | null;
  readonly status: DisbursementRow['status'] | null;
  /** Only those that come after this one in the list. */
  readonly after: Pick<DisbursementRow, 'effectiveAtMs' | 'id'> | null;
}

/** Selects a property's disbursements, newest first. */
export function selectDisbursements(
  queries: Queries,
  propertyId: string,
  { fromMs, beforeMs, status, after }: DisbursementFilter,
  limit: number,
) {
  const { effectiveAtMs, id } = disbursements;
  return queries
    .select()
    .from(disbursements)
    .where(
      and(
        eq(disbursements.propertyId, propertyId),
        fromMs === null ? undefined : gte(effectiveAtMs, fromMs),
        beforeMs === null ? undefined : lt(effectiveAtMs, beforeMs),
        status === null ? undefined : eq(disbursements.status, status),
        after === null
          ? undefined
          : or(
              lt(effectiveAtMs, after.effectiveAtMs),
              and(eq(effectiveAtMs, after.effectiveAtMs), lt(id, after.id)),
            ),
      ),
    )
    .orderBy(desc(effectiveAtMs), desc(id))
    .limit(limit);
}

/** What this service knows of a movement that it asked for, by its reference. */
export interface KnownMovement {
  readonly reference: string;
  readonly description: string | null;
  /** What was asked for without fees; what a refund sends back. */
  readonly netOfFeesMinor: number;
  readonly createdAtMs: number;
}

/** Selects what is known of charges and captures by their references. */
export function selectKnownCharges(queries: Queries, references: readonly string[]) {
  const { captureRequestedMinor, createdAtMs, description, reference, requestedMinor, status } =
    transactions;
  return queries
    .select({
      reference,
      description,
      // A capture whose answer is not known yet stands beside the hold that it is of.
      netOfFeesMinor: sql<number>`CASE ${status} WHEN 'Processing' THEN coalesce(${captureRequestedMinor}, ${requestedMinor}) ELSE ${requestedMinor} END`,
      createdAtMs,
    })
    .from(transactions)
    .where(inArray(reference, listed(references)));
}

/** Selects what is known of refunds by their references. */
export function selectKnownRefunds(queries: Queries, references: readonly string[]) {
  const { amountMinor, createdAtMs, description, reference } = refunds;
  return queries
    .select({ reference, description, netOfFeesMinor: amountMinor, createdAtMs })
    .from(refunds)
    .where(inArray(reference, listed(references)));
}

/** Selects the zones of properties. */
export function selectZones(queries: Queries, propertyIds: readonly string[]) {
  const { id, timeZone } = properties;
  return queries
    .select({ id, timeZone })
    .from(properties)
    .where(inArray(id, listed(propertyIds)));
}

function listed(values: readonly string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Selects how far a source of payouts was read. */
export function selectProgress(queries: Queries, source: string) {
  return queries.select().from(payoutProgress).where(eq(payoutProgress.source, source));
}

/** Notes how far a source of payouts was read. */
export function saveProgress(queries: Queries, source: string, position: string) {
  return queries
    .insert(payoutProgress)
    .values({ source, position })
    .onConflictDoUpdate({ target: payoutProgress.source, set: { position } });
}

/** Selects which of these disbursements take no more items. */
export function selectClosed(
  queries: Queries,
  names: readonly (readonly [propertyId: string, id: string])[],
) {
  const { propertyId, id, status } = disbursements;
  return queries
    .select({ propertyId, id })
    .from(disbursements)
    .where(
      sql`${status} <> 'not_paid_out' AND (${propertyId}, ${id}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(names)}))`,
    );
}

/** Moves on what is due: what is open is closed, what is in transit is paid out. */
export function moveDueOn(queries: Queries, nowMs: number) {
  const { paysAtMs, dueAtMs } = disbursements;
  return queries
    .update(disbursements)
    .set({
      status: sql`CASE WHEN ${paysAtMs} <= ${nowMs} THEN 'paid_out' ELSE 'in_transit' END`,
      dueAtMs: sql`CASE WHEN ${paysAtMs} > ${nowMs} THEN ${paysAtMs} END`,
    })
    .where(lte(dueAtMs, nowMs));
}

/** Selects the properties that an account at the acquirer is of. */
export function selectAccountProperties(queries: Queries, account: string | null) {
  const { id, stripeAccount } = properties;
  return queries
    .select({ id })
    .from(properties)
    .where(account === null ? isNull(stripeAccount) : eq(stripeAccount, account));
}

/** Selects accounts at the acquirer whose payouts were not looked through on this day, in no order. */
export function selectAccountsToLookThrough(queries: Queries, today: string, limit: number) {
  const { stripeAccount: account } = properties;
  return queries
    .selectDistinct({ account })
    .from(properties)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM ${payoutProgress} WHERE ${payoutProgress.source} = 'stripe ' || coalesce(${account}, '') AND ${payoutProgress.position} >= ${today})`,
    )
    .orderBy(sql`random()`)
    .limit(limit);
}

/** The account at the acquirer that a card's token begins with. */
const accountOfCard = sql`substr(${cards.gatewayToken}, 1, instr(${cards.gatewayToken}, '/') - 1)`;

/** Selects which properties charges are of, by their references; only those whose cards are kept for this account. */
export function selectChargeOwners(
  queries: Queries,
  references: readonly string[],
  account: string,
) {
  const { cardToken, propertyId, reference } = transactions;
  return queries
    .select({ reference, propertyId })
    .from(transactions)
    .innerJoin(cards, eq(cards.token, cardToken))
    .where(and(inArray(reference, listed(references)), eq(accountOfCard, account)));
}

/** Selects which properties refunds are of, as {@link selectChargeOwners} does. */
export function selectRefundOwners(
  queries: Queries,
  references: readonly string[],
  account: string,
) {
  const { propertyId, reference, transactionId } = refunds;
  return queries
    .select({ reference, propertyId })
    .from(refunds)
    .innerJoin(transactions, eq(transactions.id, transactionId))
    .innerJoin(cards, eq(cards.token, transactions.cardToken))
    .where(and(inArray(reference, listed(references)), eq(accountOfCard, account)));
}
