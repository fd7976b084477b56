import { type SQL, sql } from 'drizzle-orm';
import type { Movement } from '../../schema/historyTables.ts';

/** The sums of a charge before each of its movements, as columns of a query over `history AS entry` with {@link EARLIER}. */
export const EARLIER_SUMS = sql`${earlier(['charge', 'capture', 'correction'], sql`entry.amount_minor`)} AS taken_before,
  ${earlier(['charge', 'capture', 'correction'], sql`entry.fee_minor`)} AS fee_before,
  ${earlier(['refund', 'reversal'], sql`-entry.amount_minor`)} AS refunded_before,
  ${earlier(['chargeback', 'chargeback_reversal'], sql`-entry.amount_minor`)} AS disputed_before`;

/** What comes before a movement: the earlier ones of its charge. */
export const EARLIER = sql`WINDOW earlier AS (PARTITION BY entry.property_id, entry.booking_reference, entry.charge_id
  ORDER BY entry.sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;

function earlier(kinds: readonly Movement[], minor: SQL): SQL {
  const named = sql.raw(kinds.map((kind) => `'${kind}'`).join(', '));
  return sql`coalesce(sum(CASE WHEN entry.movement IN (${named}) THEN ${minor} END) OVER earlier, 0)`;
}
