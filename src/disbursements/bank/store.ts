import {
  and,
  asc,
  between,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  lte,
  ne,
  type SQL,
  sql,
} from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import type { IsoDate } from '../../core/time.ts';
import { queries } from '../../platform/db/database.ts';
import { unindexed } from '../../platform/db/indexes.ts';
import { type BankLineRow, bankLines, disbursements } from '../../schema/disbursementTables.ts';
import { exceptions } from '../../schema/reconciliationTables.ts';
import { DAYS_AFTER, DAYS_BEFORE, type Pair } from './rules/matching.ts';

/** Days of a property, both included. */
export interface Days {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

/** More disbursements than a property has in the days around a statement. */
const MOST_UNLINED = 20_000;

/** Whether a disbursement that a query selects has no bank line. */
const HAS_NO_LINE = sql`NOT EXISTS (SELECT 1 FROM bank_lines AS of_it WHERE of_it.property_id = disbursements.property_id AND of_it.disbursement_id = disbursements.id)`;

/** Whether a disbursement reaches, or should have reached, the bank. Nothing is paid out where nothing is left. */
const IS_PAID = and(
  inArray(disbursements.status, ['in_transit', 'paid_out']),
  ne(disbursements.netMinor, 0),
);

/** Selects the disbursements without a bank line that are expected on some days. */
export function selectUnlined(propertyId: string, { from, to }: Days) {
  return queries
    .select(
      pick(disbursements, 'id', 'description', 'netMinor', 'currency', 'arrivalDate', 'status'),
    )
    .from(disbursements)
    .where(
      and(
        eq(disbursements.propertyId, propertyId),
        between(disbursements.arrivalDate, from, to),
        HAS_NO_LINE,
      ),
    )
    .orderBy(asc(disbursements.arrivalDate))
    .limit(MOST_UNLINED);
}

/** Inserts lines that are not there yet, all of one property, and returns their ids. */
export function insertLines(lines: readonly BankLineRow[]) {
  const rows = lines.map(({ amountMinor, currency, date, description, id, propertyId }) => [
    propertyId,
    id,
    date,
    currency,
    amountMinor,
    description,
  ]);
  return queries
    .insert(bankLines)
    .select(
      sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, 'unmatched', NULL FROM json_each(${JSON.stringify(rows)}) WHERE true`,
    )
    .onConflictDoNothing()
    .returning({ id: bankLines.id });
}

/** Selects the lines without a disbursement that have the amount of one without a line, on a day near enough. */
export function selectCandidates(propertyId: string, { from, to }: Days) {
  const { arrivalDate, currency, id, netMinor } = disbursements;
  const earliest = sql`date(${arrivalDate}, ${`-${DAYS_BEFORE} days`})`;
  const latest = sql`date(${arrivalDate}, ${`+${DAYS_AFTER} days`})`;
  return queries
    .select({
      disbursementId: id,
      arrivalDate,
      lineId: sql<string>`${bankLines.id}`.as('line_id'),
      date: bankLines.date,
    })
    .from(disbursements)
    .crossJoin(bankLines)
    .where(
      and(
        eq(disbursements.propertyId, propertyId),
        between(arrivalDate, from, to),
        IS_PAID,
        HAS_NO_LINE,
        eq(bankLines.propertyId, propertyId),
        eq(bankLines.status, 'unmatched'),
        gte(bankLines.date, earliest),
        lte(bankLines.date, latest),
        eq(bankLines.amountMinor, netMinor),
        eq(bankLines.currency, currency),
      ),
    )
    .orderBy(asc(arrivalDate), asc(bankLines.date), asc(bankLines.id))
    .limit(MOST_UNLINED);
}

/** Gives lines their disbursements, unless either has another by now. Returns the pairs that were made. */
export function pairLines(propertyId: string, pairs: readonly Pair[]) {
  const list = JSON.stringify(pairs.map(({ disbursementId, lineId }) => [lineId, disbursementId]));
  const own = sql`(SELECT value ->> 1 FROM json_each(${list}) WHERE value ->> 0 = bank_lines.id)`;
  return queries
    .update(bankLines)
    .set({ status: 'matched', disbursementId: own })
    .where(
      and(
        eq(bankLines.propertyId, propertyId),
        sql`${bankLines.id} IN (SELECT value ->> 0 FROM json_each(${list}))`,
        eq(bankLines.status, 'unmatched'),
        sql`NOT EXISTS (SELECT 1 FROM bank_lines AS taken WHERE taken.property_id = ${propertyId} AND taken.disbursement_id = ${own})`,
      ),
    )
    .returning({ lineId: bankLines.id, disbursementId: sql<string>`${bankLines.disbursementId}` });
}

/** How long before a property's first line a disbursement may have been expected for its line to be missed. */
const DAYS_BEFORE_FIRST = 31;

/** Selects disbursements that were paid out and have no line, where lines of days have come after it was due at the latest. */
export function selectNotAtBank(propertyId: string) {
  const edge = (which: SQL, days: string) =>
    sql`(SELECT date(${which}, ${days}) FROM bank_lines WHERE property_id = ${propertyId} AND date <> '')`;
  return queries
    .select()
    .from(disbursements)
    .where(
      and(
        eq(disbursements.propertyId, propertyId),
        gte(disbursements.arrivalDate, edge(sql`min(date)`, `-${DAYS_BEFORE_FIRST} days`)),
        sql`${disbursements.arrivalDate} < ${edge(sql`max(date)`, `-${DAYS_AFTER} days`)}`,
        eq(disbursements.status, 'paid_out'),
        ne(disbursements.netMinor, 0),
        HAS_NO_LINE,
      ),
    )
    .limit(MOST_UNLINED);
}

/** Closes the exceptions of a property's disbursements, by any of the gateways, that have a line now. */
export function closeFound(propertyId: string, gateways: readonly string[], nowMs: number) {
  return queries
    .update(exceptions)
    .set({ status: 'closed', resolution: 'corrected', resolvedAtMs: nowMs })
    .where(
      and(
        // By the index of subjects: of all that is open, these are few.
        inArray(exceptions.gateway, gateways),
        eq(exceptions.kind, 'not_at_bank'),
        sql`${exceptions.subject} >= ${`${propertyId} `} AND ${exceptions.subject} < ${`${propertyId}!`}`,
        sql`${unindexed(exceptions.status)} = 'open'`,
        sql`EXISTS (SELECT 1 FROM bank_lines AS found WHERE found.property_id = ${propertyId} AND found.disbursement_id = substr(${exceptions.subject}, length(${propertyId}) + 2))`,
      ),
    );
}

/** Selects the lines of some disbursements, which a query of their ids, named `id`, names. */
export function selectLinesOf(propertyId: string, disbursementIds: SQL) {
  return queries
    .select(getTableColumns(bankLines))
    .from(sql`(${disbursementIds}) AS one`)
    .crossJoin(bankLines)
    .where(
      and(
        eq(bankLines.propertyId, propertyId),
        isNotNull(bankLines.disbursementId),
        sql`${bankLines.disbursementId} = one.id`,
      ),
    );
}
