import {
  and,
  asc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  type SQL,
  sql,
} from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import type { GatewayTraits } from '../gateways/gateway.ts';
import type { GatewayMovement } from '../gateways/movements.ts';
import type { GatewayName } from '../platform/config.ts';
import { queries } from '../platform/db/database.ts';
import { listed, listedPairs } from '../platform/db/listed.ts';
import type { BookingName } from '../records/bookings/store.ts';
import { bookings } from '../schema/bookingTables.ts';
import { cards } from '../schema/cardTables.ts';
import { history, type Movement } from '../schema/historyTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { type MovementRow, movementKinds } from './rules/differences.ts';
import { readTo, recentSinceMs } from './rules/runs.ts';
import type { ReconciliationWork } from './work.ts';

/** The movements to look for in the history, as SQL reads them: each by the acquirer's id, and by our reference. */
function wanted(movements: readonly GatewayMovement[]): string {
  return JSON.stringify(
    movements.flatMap(({ about, amountMinor, currency, kind, subject }, at) =>
      [subject, about?.reference ?? null].map((name) => ({
        at,
        name,
        reference: about?.reference ?? null,
        property: about?.propertyId ?? null,
        booking: about?.bookingReference ?? null,
        kind: movementKinds[kind].here,
        amount: amountMinor,
        currency,
      })),
    ),
  );
}

/**
 * The movements of a page, and which entries of the history (`matched`) they are; for a `WITH`. Each booking's history
 * is read once. A charge counts as what it was taken for, as corrected since; everything else by its own amount. What an
 * administrator accepted by hand may have no id of the acquirer.
 */
function withMatches(gateway: GatewayName, movements: readonly GatewayMovement[]): SQL {
  return sql`WITH page AS MATERIALIZED (
      SELECT value ->> 'at' AS at, value ->> 'name' AS name, value ->> 'reference' AS reference, value ->> 'property' AS property,
        value ->> 'booking' AS booking, value ->> 'kind' AS kind, value ->> 'amount' AS amount, value ->> 'currency' AS currency
      FROM json_each(${wanted(movements)})),
    matched AS MATERIALIZED (
      SELECT page.at, entry.property_id, entry.booking_reference, entry.sequence
      FROM (SELECT DISTINCT property, booking FROM page) AS of
      CROSS JOIN history AS entry ON entry.property_id = of.property AND entry.booking_reference = of.booking
        AND entry.movement IS NOT NULL AND entry.gateway = ${gateway}
      CROSS JOIN transactions AS charge ON charge.id = entry.charge_id
      LEFT JOIN refunds AS refund ON entry.subject_kind = 'refund' AND refund.id = CAST(entry.subject_id AS INTEGER)
      CROSS JOIN page ON page.property = entry.property_id AND page.booking = entry.booking_reference
        AND page.name = coalesce(entry.gateway_reference, refund.reference, charge.reference)
      WHERE page.reference IN (charge.reference, refund.reference) AND page.currency = entry.currency
        AND iif(page.kind <> 'charge', entry.movement = page.kind AND entry.amount_minor = page.amount,
          entry.movement IN ('charge', 'capture', 'correction') AND page.amount = iif(entry.amount_minor = charge.amount_minor,
            entry.amount_minor, (SELECT sum(taken.amount_minor) FROM history AS taken
              WHERE taken.property_id = entry.property_id AND taken.booking_reference = entry.booking_reference
              AND taken.charge_id = entry.charge_id AND taken.movement IN ('charge', 'capture', 'correction')))))`;
}

/** The charge that a movement names, itself or by one of its refunds. */
const named = sql`coalesce(
  (SELECT id FROM transactions WHERE reference = page.reference AND id IN (
    SELECT charge_id FROM history WHERE property_id = page.property AND booking_reference = page.booking)),
  (SELECT transaction_id FROM refunds
    WHERE property_id = page.property AND booking_reference = page.booking AND reference = page.reference))`;

/** Marks the movements that are among the acquirer's, each once. */
export function markMovements(
  gateway: GatewayName,
  movements: readonly GatewayMovement[],
  nowMs: number,
) {
  return queries
    .update(history)
    .set({ reconciledAtMs: nowMs })
    .where(
      and(
        isNull(history.reconciledAtMs),
        sql`(property_id, booking_reference, sequence) IN (${withMatches(gateway, movements)} SELECT property_id, booking_reference, sequence FROM matched)`,
      ),
    );
}

/** A movement without its entry in the history: its place in the page, and the charge that it names, if that is here. */
export interface Unmatched {
  readonly at: number;
  readonly transactionId: number | null;
}

/** Selects the movements that have no entry in the history. */
export function selectUnmatched(gateway: GatewayName, movements: readonly GatewayMovement[]) {
  return queries
    .select({
      at: sql<number>`at`.as('at'),
      transactionId: sql<number | null>`charge_id`.as('transaction_id'),
    })
    .from(
      sql`(${withMatches(gateway, movements)} SELECT DISTINCT at, ${named} AS charge_id FROM page WHERE at NOT IN (SELECT at FROM matched) ORDER BY at)`,
    );
}

/** Selects which of the bookings that the acquirer names are here. */
export function selectKnownBookings(named: readonly BookingName[]) {
  const names = named.map(({ propertyId, reference }) => [propertyId, reference] as const);
  return queries
    .select({ propertyId: bookings.propertyId, reference: bookings.reference })
    .from(bookings)
    .where(sql`(${bookings.propertyId}, ${bookings.reference}) IN ${listedPairs(names)}`);
}

export function markRows(rows: readonly MovementRow[], nowMs: number) {
  const keys = rows.map(({ bookingReference, propertyId, sequence }) => [
    propertyId,
    bookingReference,
    sequence,
  ]);
  return queries
    .update(history)
    .set({ reconciledAtMs: nowMs })
    .where(
      and(
        isNull(history.reconciledAtMs),
        sql`(property_id, booking_reference, sequence) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(keys)}))`,
      ),
    );
}

export function selectCharges(ids: readonly number[]) {
  return queries
    .select({ transaction: transactions, gatewayToken: cards.gatewayToken })
    .from(transactions)
    .leftJoin(cards, eq(cards.token, transactions.cardToken))
    .where(inArray(transactions.id, listed(ids)));
}

/** Selects the movements of charges, in their order. */
export function selectMovements(ids: readonly number[]) {
  const { amountMinor, chargeId, currency, movement, occurredAtMs, subjectId, subjectKind } =
    history;
  return queries
    .select({
      ...pick(history, 'propertyId', 'bookingReference', 'sequence'),
      transactionId: sql<number>`${chargeId}`.as('transaction_id'),
      refundId: sql<
        number | null
      >`CASE ${subjectKind} WHEN 'refund' THEN CAST(${subjectId} AS INTEGER) END`.as('refund_id'),
      disputeId: sql<string | null>`CASE ${subjectKind} WHEN 'dispute' THEN ${subjectId} END`.as(
        'dispute_id',
      ),
      kind: sql<Movement>`${movement}`.as('kind'),
      currency: sql<string>`${currency}`.as('in_currency'),
      amountMinor: sql<number>`${amountMinor}`.as('moved_minor'),
      gatewayReference: history.gatewayReference,
      occurredAtMs: sql<number>`${occurredAtMs}`.as('moved_at_ms'),
    })
    .from(history)
    .where(
      and(
        sql`(${history.propertyId}, ${history.bookingReference}) IN (SELECT property_id, booking_reference FROM transactions WHERE id IN ${listed(ids)})`,
        inArray(chargeId, listed(ids)),
        isNotNull(movement),
      ),
    )
    .orderBy(asc(chargeId), asc(history.sequence));
}

export function selectRefunds(ids: readonly number[]) {
  return queries
    .select(getTableColumns(refunds))
    .from(transactions)
    .crossJoin(refunds)
    .where(
      and(
        inArray(transactions.id, listed(ids)),
        eq(refunds.propertyId, transactions.propertyId),
        eq(refunds.bookingReference, transactions.bookingReference),
        eq(refunds.transactionId, transactions.id),
      ),
    );
}

/**
 * Selects the properties that have or had an account, `limit` at most; only the named ones, if there are names. What is
 * on the platform's own account was written by this service: every property may be named there.
 */
export function selectPropertiesOf(
  accounts: GatewayTraits['accounts'],
  account: string | null,
  names: readonly string[] | null,
  limit: number,
) {
  const { id, merchantAccount } = properties;
  const onPlatform = names === null ? isNull(merchantAccount) : undefined;
  const onAccount =
    account === null
      ? onPlatform
      : sql`${id} IN (SELECT property_id FROM merchant_accounts WHERE account = ${account})`;
  return queries
    .select({ id })
    .from(properties)
    .where(
      and(
        accounts === 'one' ? undefined : onAccount,
        names === null ? undefined : inArray(id, listed(names)),
      ),
    )
    .limit(limit);
}

/** Selects every account that a property has or had: null for the platform's own, where the property has a card there. */
export function selectAccountsOf(propertyId: string) {
  return queries
    .select({ account: sql<string | null>`used.account`.as('account') })
    .from(
      sql`(SELECT account FROM merchant_accounts WHERE property_id = ${propertyId} UNION ALL SELECT NULL FROM properties WHERE id = ${propertyId} AND (merchant_account IS NULL OR EXISTS (SELECT 1 FROM cards WHERE cards.property_id = ${propertyId} AND cards.gateway_token GLOB '/*'))) AS used`,
    );
}

/** The movements that a run compares after the last one read, in their order, `scanned` at most. */
function movementPage(
  { accounts }: ReconciliationWork,
  run: ReconciliationRunRow,
  scanned: number,
): SQL {
  const { account, fromMs, propertyId, toMs } = run;
  const [property = '', atMs = 0, booking = '', sequence = 0] = readTo(run);
  const onAccount = accounts === 'one' ? sql`` : sql` AND property.merchant_account IS ${account}`;
  const ofProperty = propertyId === null ? sql`` : sql` AND property.id = ${propertyId}`;
  return sql`(SELECT row.* FROM properties AS property CROSS JOIN history AS row ON row.property_id = property.id AND row.movement IS NOT NULL AND row.occurred_at_ms >= CASE WHEN property.id = ${property} THEN ${atMs} ELSE ${fromMs} END AND row.occurred_at_ms < ${toMs} WHERE property.id >= ${property}${ofProperty}${onAccount} AND (row.property_id, row.occurred_at_ms, row.booking_reference, row.sequence) > (${property}, ${atMs}, ${booking}, ${sequence}) ORDER BY property.id, row.occurred_at_ms, row.booking_reference, row.sequence LIMIT ${scanned}) AS row`;
}

const movementKey = {
  propertyId: sql<string>`row.property_id`.as('property_id'),
  occurredAtMs: sql<number>`row.occurred_at_ms`.as('occurred_at_ms'),
  bookingReference: sql<string>`row.booking_reference`.as('booking_reference'),
  sequence: sql<number>`row.sequence`.as('sequence'),
  transactionId: sql<number>`row.charge_id`.as('charge_id'),
};

const movementOrder = sql`row.property_id, row.occurred_at_ms, row.booking_reference, row.sequence`;

/** Selects movements that the acquirer has not confirmed, `limit` at most, among the next `scanned` that are not too new. */
export function selectUnconfirmed(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  scanned: number,
  limit: number,
) {
  const nowMs = work.now();
  return queries
    .select(movementKey)
    .from(movementPage(work, run, scanned))
    .where(
      sql`row.reconciled_at_ms IS NULL AND row.gateway = ${run.gateway} AND row.at_ms NOT BETWEEN ${recentSinceMs(nowMs)} AND ${nowMs}`,
    )
    .orderBy(movementOrder)
    .limit(limit);
}

/** Selects the last of the next `scanned` movements; nothing if there are fewer. */
export function selectLastScanned(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  scanned: number,
) {
  return queries
    .select(movementKey)
    .from(movementPage(work, run, scanned))
    .orderBy(movementOrder)
    .limit(1)
    .offset(scanned - 1);
}

/**
 * Selects the earliest movement of an account that was recorded since a time, long after it occurred, and is not confirmed: by
 * when it occurred a run that goes on from there would not meet it. Like our side of a comparison, it goes by the account that
 * a property has now: that run looks for each charge on the account that its card is on, a former one as well.
 */
export function selectRecordedLate(
  { accounts, gateway }: Pick<ReconciliationWork, 'accounts' | 'gateway'>,
  account: string | null,
  sinceMs: number,
) {
  const onAccount = accounts === 'one' ? sql`` : sql` AND property.merchant_account IS ${account}`;
  return queries
    .select({ fromMs: sql<number | null>`min(row.occurred_at_ms)`.as('from_ms') })
    .from(
      sql`properties AS property CROSS JOIN history AS row INDEXED BY history_recorded ON row.property_id = property.id AND row.recorded_at_ms >= ${sinceMs}`,
    )
    .where(
      sql`row.movement IS NOT NULL AND row.reconciled_at_ms IS NULL AND row.gateway = ${gateway.name}${onAccount}`,
    );
}

/** Selects when the first movement was recorded: each property's, by the index. */
export function selectFirstMovement() {
  return queries
    .select({
      recordedAtMs: sql<
        number | null
      >`min((SELECT at_ms FROM history WHERE property_id = ${properties.id} AND movement IS NOT NULL ORDER BY occurred_at_ms LIMIT 1))`.as(
        'recorded_at_ms',
      ),
    })
    .from(properties);
}
