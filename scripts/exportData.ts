/**
 * Fills a database with customers and applications for the exports: all kinds of values and nulls, the same for the
 * same number. SQL generates the rows, so that a million takes seconds.
 */

/** Customers in one batch. */
const AT_ONCE = 5_000;

/** The rows to insert. */
export interface ExportData {
  readonly property: string;
  readonly currency: string;
  readonly customers: number;
  /** The number of the first customer, after those of an earlier call. Default: 1. */
  readonly first?: number;
}

/** The number of the PMS's own bookings: every third customer has one. */
export function offlineBookings(customers: number, first = 1): number {
  return Math.floor((first + customers - 1) / 3) - Math.floor((first - 1) / 3);
}

/** Inserts customers, each with one application; every third also has a booking of the PMS. */
export async function fillExportData(
  d1: D1Database,
  { property, currency, customers, first = 1 }: ExportData,
  progress: (done: number) => void = () => undefined,
): Promise<void> {
  for (let done = 0; done < customers; done += AT_ONCE) {
    const from = first + done;
    const until = first + Math.min(done + AT_ONCE, customers);
    await d1.batch(
      inserts.map((insert) => d1.prepare(insert).bind(from, until, property, currency)),
    );
    progress(Math.min(done + AT_ONCE, customers));
  }
}

/** The numbers in [?1, ?2). (D1 binds numbers as floats, which would appear as `1.0` in texts.) */
const SERIES =
  'WITH RECURSIVE series(n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM series WHERE n + 1 < ?2)';

/** 2026-01-01T00:00:00Z, in milliseconds. */
const START = 1_767_225_600_000;

const contacts = `INSERT INTO contacts (id, property_id, email, created_at_ms) ${SERIES}
  SELECT n, ?3, 'guest' || n || '@hotel.com', ${START} + n FROM series WHERE ?4 <> ''`;

const customers = `INSERT INTO customers (id, property_id, entry_id, contact_id, created_at_ms) ${SERIES}
  SELECT n, ?3, iif(n % 2 = 0, 100000 + n, NULL), n, ${START} + n FROM series WHERE ?4 <> ''`;

/** Texts with characters that are hard for JSON lines. */
const text = (name: string) =>
  `iif(n % 7 = 0, NULL, '${name} "' || n || '" \\ ' || char(10) || '🎓' || char(8232) || ' é')`;

const flag = (every: number) => `iif(n % 11 = 0, NULL, n % ${every} = 0)`;

/** The columns of both kinds of booking, with their values. */
const common: readonly (readonly [string, string])[] = [
  ['property_id', '?3'],
  ['customer_id', 'n'],
  ['application_at_ms', `${START} + n * 1000`],
  ['arrival', "date('2026-02-01', '+' || (n % 500) || ' days')"],
  ['departure', "date('2026-02-01', '+' || (n % 500 + 7 + n % 200) || ' days')"],
  ['currency', '?4'],
  ['weekly_rate_minor', 'iif(n % 5 = 0, NULL, 10000 + n % 50000)'],
  ['total_minor', 'iif(n % 5 = 0, NULL, 100000 + n % 5000000)'],
  ['gender', "iif(n % 3 = 0, NULL, iif(n % 2 = 0, 'Female', 'Non-Binary'))"],
  ['nationality', text('Nation')],
  ['city', text('City')],
  ['country', "iif(n % 13 = 0, NULL, 'Australia')"],
  ['international_student', flag(2)],
  ['non_student', flag(3)],
  ['in_australia', flag(4)],
  ['age_on_arrival', 'iif(n % 6 = 0, NULL, 17 + n % 30)'],
  ['under_18', 'iif(n % 6 = 0, NULL, n % 5 = 0)'],
  ['room_type', text('Room')],
  ['rate_type', "'Best available'"],
  ['residents', 'iif(n % 4 = 0, NULL, 1 + n % 3)'],
  ['university', text('University')],
  ['course_name', text('Course')],
  ['user_agent', text('Agent')],
  ['is_mobile', flag(2)],
  ['is_tablet', flag(9)],
  [
    'agent',
    `iif(n % 4 = 0, json_object('company', 'Agents & Co', 'name', 'A', 'agentCode', 'C' || n), NULL)`,
  ],
  ['created_at_ms', `${START} + n`],
  ['updated_at_ms', `${START} + n`],
];

const online: readonly (readonly [string, string])[] = [
  ['id', 'n * 2'],
  ['booking_type', "'Online'"],
  ['application_number', "'APP-' || ?3 || '-' || n"],
  ['contact_id', 'n'],
  ['email', "'guest' || n || '@hotel.com'"],
  ['current_status', "iif(n % 9 = 0, 'Offered', iif(n % 2 = 0, 'Held', 'Tentative'))"],
  ['held_at_ms', `iif(n % 2 = 0 AND n % 9 <> 0, ${START} + n * 2000, NULL)`],
  [
    'tenant_applications',
    `iif(n % 10 = 0, json_array(json_object('tenantApplicationId', '00000000-0000-4000-8000-000000000001',
      'tenantApplicationProcessId', NULL, 'status', 'NEW', 'applicants', json_array(json_object(
      'tenantApplicationApplicantId', '00000000-0000-4000-8000-000000000002', 'contactId', n)),
      'createdDateTime', '2026-01-01T00:00:00Z', 'lastUpdatedDateTime', '2026-01-02T00:00:00Z')), '[]')`,
  ],
];

const offline: readonly (readonly [string, string])[] = [
  ['id', 'n * 2 + 1'],
  ['booking_type', "iif(n % 2 = 0, 'Offline', 'Renewal')"],
  ['booking_id', '500000 + n'],
  ['current_status', "'History'"],
  ['history_at_ms', `${START} + n * 3000`],
];

function bookings(own: readonly (readonly [string, string])[], where: string): string {
  const columns = [...own, ...common];
  return `INSERT INTO applications (${columns.map(([name]) => name).join(', ')}) ${SERIES}
    SELECT ${columns.map(([, value]) => value).join(', ')} FROM series WHERE ${where}`;
}

const inserts = [contacts, customers, bookings(online, 'true'), bookings(offline, 'n % 3 = 0')];
