/** What properties gather besides bookings: SQL makes it of the copied deposits, one for every so many bookings. */
import { seeded } from '../scripts/seed.ts';
import { DAY_MS } from '../src/core/time.ts';

/** For how many bookings there is one of each. Failed payouts are the seeded property's alone. */
const BOOKINGS_PER = {
  dispute: 100,
  virtualCard: 50,
  exception: 10,
  unmatchedLine: 20,
  failedPayout: 250,
  archived: 3,
} as const;

/** For how long a bank waits for an answer to a dispute. */
const ANSWER_MS = 20 * DAY_MS;

/** For how long a virtual card may be charged. */
const VIRTUAL_MS = 30 * DAY_MS;

/** One payout in so many never came to the bank. */
const PAYOUTS_PER_MISSING = 100;

/** How much longer ago archived bookings were made. */
const ARCHIVED_MS = 365 * DAY_MS;

/** What a virtual card's own columns have, as SQL; `number` is the booking's, `fromMs` when it becomes active. */
export function virtualColumns(number: string, fromMs: string): Record<string, string> {
  const ifVirtual = (value: string, other: string) =>
    `iif(${number} % ${BOOKINGS_PER.virtualCard} = 0, ${value}, ${other})`;
  const hasEnd = `${number} % ${BOOKINGS_PER.virtualCard * 2} = 0`;
  const terms = `json_object('activeFromMs', ${fromMs}, 'activeUntilMs', iif(${hasEnd}, ${fromMs} + ${VIRTUAL_MS}, NULL),
    'limitMinor', 100000, 'channel', 'Agency', 'autoCharge', json('false'))`;
  return {
    virtual_terms: ifVirtual(terms, 'NULL'),
    taken_minor: ifVirtual(`${number} / ${BOOKINGS_PER.virtualCard} % 3 * 50000`, '0'),
    due_at_ms: ifVirtual(`iif(${fromMs} > ${Date.now()}, ${fromMs}, NULL)`, 'NULL'),
  };
}

/** The statements that make the rest. The ids of the copied payments begin at `firstId`, a hundred for each booking. */
export function besides(firstId: number, bookings: number): string[] {
  const number = `((id - ${firstId}) / 100)`;
  const deposits = (
    per: number,
  ) => `FROM transactions WHERE id BETWEEN ${firstId} AND ${firstId + bookings * 100}
    AND purpose = 'Deposit' AND status = 'Accepted' AND ${number} % ${per} = 0`;
  return [
    ...disputesOf(number, deposits(BOOKINGS_PER.dispute)),
    ...exceptionsOf(number, deposits(BOOKINGS_PER.exception)),
    `INSERT INTO bank_lines (property_id, id, date, currency, amount_minor, description, status, disbursement_id)
      SELECT property_id, lower(hex(randomblob(16))), arrival_date, currency, net_minor, 'PAYOUT', 'matched', id
      FROM disbursements WHERE status = 'paid_out' AND rowid % ${PAYOUTS_PER_MISSING} <> 0`,
    `INSERT INTO bank_lines (property_id, id, date, currency, amount_minor, description, status)
      SELECT property_id, lower(hex(randomblob(16))), date(completed_at_ms / 1000, 'unixepoch'), currency, amount_minor, 'RENT', 'unmatched'
      ${deposits(BOOKINGS_PER.unmatchedLine)}`,
    `INSERT INTO disbursements (property_id, id, gateway, status, currency, description, effective_at_ms, arrival_date)
      SELECT property_id, 'failed-' || id, gateway, 'failed', currency, '', completed_at_ms, date(completed_at_ms / 1000, 'unixepoch', '+2 days')
      ${deposits(BOOKINGS_PER.failedPayout)} AND property_id = '${seeded.property}'`,
    ...archivedOf(number, deposits(BOOKINGS_PER.archived)),
  ];
}

/** Those of the last days wait for an answer, or for the bank's decision. */
function disputesOf(number: string, deposits: string): string[] {
  const [open, closed] = [
    ['needs_response', 'under_review'],
    ['won', 'lost'],
  ];
  const place = `${number} / ${BOOKINGS_PER.dispute}`;
  const isOpen = `completed_at_ms > ${Date.now() - ANSWER_MS}`;
  const ended = `completed_at_ms + ${ANSWER_MS}`;
  const changed = `iif(${isOpen}, completed_at_ms, ${ended})`;
  return [
    `INSERT INTO disputes (property_id, id, booking_reference, transaction_id, status, reason, currency, amount_minor, fee_minor,
        funds_withdrawn, opened_at_ms, respond_by_ms, closed_at_ms, changed_at_ms, learnt_at_ms, due_at_ms)
      SELECT property_id, 'dispute-' || id, booking_reference, id, iif(${isOpen}, ${oneOf(place, open)}, ${oneOf(place, closed)}),
        'fraudulent', currency, amount_minor, 0, ${isOpen}, completed_at_ms, ${ended}, iif(${isOpen}, NULL, ${ended}), ${changed}, ${changed},
        iif(${isOpen}, ${ended}, NULL) ${deposits}`,
  ];
}

/** Half of them are open, half accepted. */
function exceptionsOf(number: string, deposits: string): string[] {
  const place = `${number} / ${BOOKINGS_PER.exception}`;
  const isOpen = `${place} % 2 = 0`;
  const kind = oneOf(`${place} / 2`, ['missing_there', 'amount_differs', 'state_differs']);
  return [
    `INSERT INTO exceptions (id, property_id, booking_reference, gateway, kind, subject, ours, found_at_ms, status, resolution,
        resolved_at_ms, detail)
      SELECT printf('%012x-%012x', completed_at_ms, id), property_id, booking_reference, gateway, ${kind}, gateway_reference,
        json_object('status', status, 'amountMinor', amount_minor, 'currency', currency, 'id', CAST(id AS TEXT), 'atMs', completed_at_ms),
        completed_at_ms, iif(${isOpen}, 'open', 'closed'), iif(${isOpen}, NULL, 'accepted'), iif(${isOpen}, NULL, completed_at_ms),
        'The acquirer does not have it.' ${deposits}`,
  ];
}

/** Lists alone find them: none has a file. */
function archivedOf(number: string, deposits: string): string[] {
  const reference = `'GONE-' || ${number}`;
  const made = `created_at_ms - ${ARCHIVED_MS}`;
  return [
    `INSERT INTO archived_bookings (property_id, reference, state, object_key, status, arrival, last_name, email, created_at_ms,
        updated_at_ms, last_event_number)
      SELECT property_id, ${reference}, 'archived', 'archive/' || ${reference}, 'booked', date((${made}) / 1000, 'unixepoch'), 'Gone',
        'gone@hotel.com', ${made}, ${made}, ${number} ${deposits}`,
    `INSERT INTO archived_payments (property_id, id, booking_reference, status, purpose, created_at_ms, changed_at_ms)
      SELECT property_id, id, ${reference}, 'Accepted', purpose, ${made}, ${made} ${deposits}`,
  ];
}

/** One of some values in turn, as SQL. */
function oneOf(number: string, values: readonly string[] = []): string {
  const cases = values.map((value, at) => `WHEN ${at} THEN '${value}'`);
  return `CASE ${number} % ${values.length} ${cases.join(' ')} END`;
}
