/** Counts and sums, each as a query for D1 and for the loaded file. The results must be equal. */
export interface Expectation {
  readonly variant: Variant;
  readonly what: string;
  /** For D1; ?1 is the property. */
  readonly d1: string;
  /** For DuckDB, over the table `export`. */
  readonly duckdb: string;
}

export type Variant = 'propertySystem' | 'applicationConsole' | 'ledger';

const OF_PROPERTY = 'FROM applications WHERE property_id = ?1';
const ONLINE = `${OF_PROPERTY} AND booking_type = 'Online'`;
const BOOKINGS = 'FROM (SELECT unnest(bookings, recursive := true) FROM export)';

const MOVED = 'FROM history WHERE property_id = ?1 AND movement IS NOT NULL';
const OF_CHARGES = `${MOVED} AND charge_id IS NOT NULL`;

/** What an account of the books comes to in cents, positive for credits. */
function inCents(account: string, where = 'true'): string {
  return `coalesce(sum((CASE side WHEN 'credit' THEN amount ELSE -amount END * 100)::BIGINT) FILTER (account = '${account}' AND ${where}), 0)`;
}

/** The nights of a stay, in SQLite. */
const NIGHTS = 'julianday(departure) - julianday(arrival)';

export const expectations: readonly Expectation[] = [
  {
    variant: 'propertySystem',
    what: 'customers',
    d1: 'SELECT count(DISTINCT customer_id) FROM applications WHERE property_id = ?1',
    duckdb: 'SELECT count(*) FROM export',
  },
  {
    variant: 'propertySystem',
    what: 'customers with an entryId, and their sum',
    d1: "SELECT count(entry_id) || ' ' || sum(entry_id) FROM customers WHERE property_id = ?1",
    duckdb: "SELECT count(entryId) || ' ' || sum(entryId) FROM export",
  },
  {
    variant: 'propertySystem',
    what: 'bookings',
    d1: `SELECT count(*) ${OF_PROPERTY}`,
    duckdb: `SELECT count(*) ${BOOKINGS}`,
  },
  {
    variant: 'propertySystem',
    what: 'bookings by status',
    d1: `SELECT group_concat(status || ' ' || n, ', ') FROM (SELECT replace(current_status, 'Offered', 'Tentative') AS status, count(*) AS n ${OF_PROPERTY} GROUP BY 1 ORDER BY 1)`,
    duckdb: `SELECT string_agg(currentStatus || ' ' || n, ', ' ORDER BY currentStatus) FROM (SELECT currentStatus, count(*) AS n ${BOOKINGS} GROUP BY 1)`,
  },
  {
    variant: 'propertySystem',
    what: 'sum of totals in cents',
    d1: `SELECT sum(total_minor) ${OF_PROPERTY}`,
    duckdb: `SELECT sum(round(total * 100)::BIGINT) ${BOOKINGS}`,
  },
  {
    variant: 'propertySystem',
    what: 'sum of nights',
    d1: `SELECT CAST(sum(${NIGHTS}) AS INTEGER) ${OF_PROPERTY}`,
    duckdb: `SELECT sum(nightsDuration) ${BOOKINGS}`,
  },
  {
    variant: 'propertySystem',
    what: 'sum of the days between arrival and departure',
    d1: `SELECT CAST(sum(${NIGHTS}) AS INTEGER) ${OF_PROPERTY}`,
    duckdb: `SELECT sum(departure - arrival) ${BOOKINGS}`,
  },
  {
    variant: 'propertySystem',
    what: 'under 18, and residents',
    d1: `SELECT sum(under_18) || ' ' || sum(residents) ${OF_PROPERTY}`,
    duckdb: `SELECT count(*) FILTER (under18) || ' ' || sum(residents) ${BOOKINGS}`,
  },
  {
    variant: 'propertySystem',
    what: 'times that are known, by state',
    d1: `SELECT count(application_at_ms) || ' ' || count(held_at_ms) || ' ' || count(history_at_ms) || ' ' || count(cancelled_at_ms) ${OF_PROPERTY}`,
    duckdb: `SELECT count(applicationTime) || ' ' || count(heldTime) || ' ' || count(historyTime) || ' ' || count(cancelledTime) ${BOOKINGS}`,
  },
  {
    variant: 'propertySystem',
    what: 'mobiles, tablets, applicants in the country, ages',
    d1: `SELECT sum(is_mobile) || ' ' || sum(is_tablet) || ' ' || sum(in_australia) || ' ' || sum(age_on_arrival) ${OF_PROPERTY}`,
    duckdb: `SELECT count(*) FILTER (isMobile) || ' ' || count(*) FILTER (isTablet) || ' ' || count(*) FILTER (inAustralia) || ' ' || sum(ageOnArrival) ${BOOKINGS}`,
  },
  {
    variant: 'applicationConsole',
    what: 'applications',
    d1: `SELECT count(*) ${ONLINE}`,
    duckdb: 'SELECT count(*) FROM export',
  },
  {
    variant: 'applicationConsole',
    what: 'sum of totals in cents',
    d1: `SELECT sum(total_minor) ${ONLINE}`,
    duckdb: 'SELECT sum(round(total * 100)::BIGINT) FROM export',
  },
  {
    variant: 'applicationConsole',
    what: 'sum of whole weeks',
    d1: `SELECT sum((CAST(${NIGHTS} AS INTEGER) + 6) / 7) ${ONLINE}`,
    duckdb: 'SELECT sum(weeksDuration) FROM export',
  },
  {
    variant: 'applicationConsole',
    what: 'applications by status',
    d1: `SELECT group_concat(status || ' ' || n, ', ') FROM (SELECT current_status AS status, count(*) AS n ${ONLINE} GROUP BY 1 ORDER BY 1)`,
    duckdb:
      "SELECT string_agg(currentStatus || ' ' || n, ', ' ORDER BY currentStatus) FROM (SELECT currentStatus, count(*) AS n FROM export GROUP BY 1)",
  },
  {
    variant: 'applicationConsole',
    what: 'sum of the application times in seconds',
    d1: `SELECT sum(application_at_ms / 1000) ${ONLINE}`,
    duckdb: 'SELECT sum(epoch(applicationTime)::BIGINT) FROM export',
  },
  {
    variant: 'applicationConsole',
    what: 'characters of the universities',
    d1: `SELECT sum(length(university)) ${ONLINE}`,
    duckdb: 'SELECT sum(length(university)) FROM export',
  },
  {
    variant: 'applicationConsole',
    what: 'tenant applications and their applicants',
    d1: `SELECT sum(json_array_length(tenant_applications)) || ' ' || sum(json_array_length(tenant_applications, '$[0].applicants')) ${ONLINE}`,
    duckdb:
      "SELECT sum(len(tenantApplications)) || ' ' || sum(len(tenantApplications[1].applicants)) FROM export",
  },
  {
    variant: 'applicationConsole',
    what: 'agents, and the characters of their codes',
    d1: `SELECT count(agent) || ' ' || sum(length(agent ->> '$.agentCode')) ${ONLINE}`,
    duckdb: "SELECT count(agent) || ' ' || sum(length(agent.agentCode)) FROM export",
  },
  {
    variant: 'ledger',
    what: 'entries',
    d1: `SELECT count(*) ${MOVED}`,
    duckdb: 'SELECT count(DISTINCT entryId) FROM export',
  },
  {
    variant: 'ledger',
    what: 'entries whose debits are not their credits',
    d1: 'SELECT iif(?1 IS NULL, 1, 0)',
    duckdb:
      "SELECT count(*) FROM (SELECT entryId FROM export GROUP BY entryId HAVING sum(CASE side WHEN 'credit' THEN amount ELSE -amount END) <> 0)",
  },
  {
    variant: 'ledger',
    what: 'postings that stand twice',
    d1: 'SELECT iif(?1 IS NULL, 1, 0)',
    duckdb: 'SELECT count(*) - count(DISTINCT postingId) FROM export',
  },
  {
    variant: 'ledger',
    what: 'sum of the movements in cents',
    d1: `SELECT sum(amount_minor) ${OF_CHARGES}`,
    duckdb: `SELECT -${inCents('acquirer', 'chargeId IS NOT NULL')} FROM export`,
  },
  {
    variant: 'ledger',
    what: 'what the bank got and the acquirer kept, in cents',
    d1: "SELECT sum(net_minor) || ' ' || sum(fee_minor) FROM disbursements WHERE property_id = ?1 AND status = 'paid_out'",
    duckdb: `SELECT (-${inCents('bank')}) || ' ' || (-${inCents('acquirer-fees')}) FROM export`,
  },
  {
    variant: 'ledger',
    what: 'what guests paid without fees, and what of that is not disputed, in cents',
    d1: `SELECT sum(max(0, brought - refunded)) || ' ' || sum(max(0, max(0, brought - refunded) - disputed)) FROM (
      SELECT sum(iif(movement IN ('charge', 'capture', 'correction'), amount_minor - fee_minor, 0)) AS brought,
        -sum(iif(movement IN ('refund', 'reversal'), amount_minor, 0)) AS refunded,
        -sum(iif(movement IN ('chargeback', 'chargeback_reversal'), amount_minor, 0)) AS disputed
      ${OF_CHARGES} GROUP BY charge_id)`,
    duckdb: `SELECT (${inCents('guests')} + ${inCents('bonds')}) || ' ' || (${inCents('guests')} + ${inCents('bonds')} + ${inCents('disputed')}) FROM export`,
  },
];
