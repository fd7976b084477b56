import { and, eq, isNull, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Origin } from '../gateways/movements.ts';
import type { GatewayName } from '../platform/config.ts';
import { queries } from '../platform/db/database.ts';
import { isChargeNamedBy, isRefundNamedBy, namesIn } from '../records/history/chargesStore.ts';
import { cards } from '../schema/cardTables.ts';
import {
  type DisbursementRow,
  disbursements,
  payoutProgress,
} from '../schema/disbursementTables.ts';
import { archivedReferences } from '../schema/lifeTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';

/** Inserts a disbursement, or updates the status and arrival date of a known one. {@link addUp} makes its totals. */
export function upsertDisbursement(row: DisbursementRow) {
  const { status, arrivalDate } = row;
  return queries
    .insert(disbursements)
    .values({ ...row, grossMinor: 0, feeMinor: 0, netMinor: 0 })
    .onConflictDoUpdate({
      target: [disbursements.propertyId, disbursements.id],
      set: {
        // A final status stays: of two parallel readings, the older one may be written last.
        status: sql`CASE WHEN ${disbursements.status} IN ('paid_out', 'failed') AND ${status} IN ('not_paid_out', 'in_transit') THEN ${disbursements.status} ELSE ${status} END`,
        arrivalDate,
      },
    });
}

/** Selects the properties that have an account at the acquirer, and those that had it. */
export function selectAccountProperties(account: string | null) {
  const { id, merchantAccount } = properties;
  return queries
    .select({ id, isPresent: sql<number>`${merchantAccount} IS ${account}` })
    .from(properties)
    .where(
      account === null
        ? isNull(merchantAccount)
        : sql`${id} IN (SELECT property_id FROM merchant_accounts WHERE account = ${account})`,
    );
}

/**
 * Selects accounts at the acquirer that properties have or had and whose payouts were not checked on this day, in random
 * order. A former account of the platform is known by an earlier check.
 */
export function selectAccountsToCheck(gateway: GatewayName, today: string, limit: number) {
  const platform = `${gateway} `;
  return queries
    .select({ account: sql<string | null>`used.account`.as('account') })
    .from(
      sql`(SELECT DISTINCT account FROM merchant_accounts UNION ALL SELECT NULL WHERE EXISTS (SELECT 1 FROM properties WHERE merchant_account IS NULL) OR EXISTS (SELECT 1 FROM ${payoutProgress} WHERE source = ${platform})) AS used`,
    )
    .where(
      sql`NOT EXISTS (SELECT 1 FROM ${payoutProgress} WHERE ${payoutProgress.source} = ${platform} || coalesce(used.account, '') AND ${payoutProgress.position} >= ${today})`,
    )
    .orderBy(sql`random()`)
    .limit(limit);
}

/** Selects the properties of charges that movements are about, only for cards of this account. */
export function selectChargeOwners(origins: readonly Origin[], account: string | null) {
  const { cardToken, propertyId, reference } = transactions;
  return queries
    .select({ reference, propertyId })
    .from(transactions)
    .innerJoin(cards, eq(cards.token, cardToken))
    .where(and(isChargeNamedBy(origins), isOf(cards.gatewayAccount, account)));
}

/** Selects the properties of refunds, like {@link selectChargeOwners}. */
export function selectRefundOwners(origins: readonly Origin[], account: string | null) {
  const { propertyId, reference, transactionId } = refunds;
  return queries
    .select({ reference, propertyId })
    .from(refunds)
    .innerJoin(transactions, eq(transactions.id, transactionId))
    .innerJoin(cards, eq(cards.token, transactions.cardToken))
    .where(and(isRefundNamedBy(origins), isOf(cards.gatewayAccount, account)));
}

/** Selects the properties of both in archived bookings, like {@link selectChargeOwners}. */
export function selectArchivedOwners(origins: readonly Origin[], account: string | null) {
  const { account: ofOne, bookingReference, propertyId, reference } = archivedReferences;
  return queries
    .select({ reference: sql<string>`${reference}`.as('reference'), propertyId })
    .from(archivedReferences)
    .where(
      and(
        sql`(${propertyId}, ${bookingReference}, ${reference}) IN ${namesIn(origins)}`,
        isOf(ofOne, account),
      ),
    );
}

function isOf(column: SQLiteColumn, account: string | null) {
  return sql`${column} IS ${account}`;
}
