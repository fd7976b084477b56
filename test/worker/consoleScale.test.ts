/** The console beside 100,000 bookings of the same property; test/worker/growth.test.ts does the same beside fewer. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { EventDispatcher } from '../../src/events/delivery/object.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { call, freshDatabase, makeBooking, testEnv } from '../support/api.ts';
import { used } from '../support/counting.ts';
import type { Guest } from '../support/guest.ts';
import { isLong } from '../support/long.ts';
import { signedIn } from '../support/staff.ts';

const BOOKINGS = 100_000;

/** As many as one statement makes. */
const AT_ONCE = 10_000;

/** How many rows a page may read: a page of a list has 20 entries, and the search seven meanings of 20 bookings. */
const MOST_READ = 500;

/**
 * What a search may read: a thousand of each of two words, their bookings, and a thousand of the nearest stays, most of
 * them several times in tables of SQLite's own.
 */
const MOST_READ_BY_SEARCH = 25_000;

const NUMBERS = `WITH RECURSIVE series(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM series WHERE n < ?1 + ${AT_ONCE} - 1)`;

/** A booking with a card and a schedule; each fourth schedule was declined, and all cards end alike. */
const inserts = [
  `INSERT INTO bookings (property_id, reference, status, arrival, departure, last_name, email, currency,
     total_cost_minor, first_night_cost_minor, created_at_ms, updated_at_ms, search_words) ${NUMBERS}
   SELECT 'demo', 'OLD-' || n, 'booked', '2020-01-01', '2020-01-02', 'Old', 'old@hotel.com', 'AUD', 1, 1, ?2, ?2,
     ' old' || n || ' an old' FROM series`,
  `INSERT INTO booking_words (property_id, word, booking_reference) ${NUMBERS}
   SELECT 'demo', word.value, 'OLD-' || n FROM series, json_each(json_array('old' || n, 'old', 'an')) AS word WHERE ?2`,
  `INSERT INTO cards (token, property_id, booking_reference, gateway, gateway_token, brand, last4, masked,
     expiry_month, expiry_year, entered_by, created_at_ms) ${NUMBERS}
   SELECT 'card-' || n, 'demo', 'OLD-' || n, 'sandbox', 'g', 'visa', '4242', 'X242', 1, 2030, 'api', ?2 FROM series`,
  `INSERT INTO transactions (id, property_id, booking_reference, reference, kind, purpose, status, currency,
     requested_minor, transaction_fee_minor, card_fee_minor, amount_minor, virtual_card, fee_basis_points, card_token,
     card_named, scheduled_at_ms, due_at_ms, learnt_at_ms, completed_at_ms, gateway, booking_version, property_version,
     created_at_ms)
   ${NUMBERS} SELECT n * 2, 'demo', 'OLD-' || n, 'later' || n, 'schedule', 'Balance', iif(n % 4, 'Pending', 'Declined'),
     'AUD', 100, 0, 0, 100, 0, 0, 'card-' || n, 0, ?2 + n, iif(n % 4, ?2 + n + 1000000, NULL),
     iif(n % 4, NULL, ?2 - n), iif(n % 4, NULL, ?2 - n), 'sandbox', 1,
     (SELECT version FROM properties WHERE id = 'demo'), ?2 - n FROM series`,
];

describe.runIf(isLong)(`beside ${BOOKINGS} bookings`, () => {
  let manager: Guest;

  beforeAll(async () => {
    vi.spyOn(PmsDispatcher.prototype, 'notify').mockResolvedValue();
    vi.spyOn(EventDispatcher.prototype, 'notify').mockResolvedValue();
    await freshDatabase();
    const atMs = Date.now() + DAY_MS - 2_000_000;
    for (let first = 1; first <= BOOKINGS; first += AT_ONCE) {
      const statements = inserts.map((insert) => testEnv.DB.prepare(insert).bind(first, atMs));
      await testEnv.DB.batch(statements);
    }
    await makeBooking('NEW', '4242424242424242');
    await call('/payment/v1/create', { reference: 'NEW', amount: 10 });
    manager = await signedIn();
  }, 300_000);

  it.each([
    ['the search by a card that all have', 'property', { q: '4242' }, 'OLD-'],
    ['the search by an amount that all have', 'property', { q: '1.00' }, 'OLD-'],
    ['the search by nothing that is there', 'property', { q: 'nobody else' }, 'Nothing was found'],
    ['the first page', 'property', {}, 'Declined: no reason given'],
    ['a booking', 'booking', { reference: 'NEW' }, 'Payment taken'],
    ['what failed', 'failed', {}, 'Next 20'],
    ['what comes', 'coming', {}, 'Next 20'],
    ['the disputes', 'disputes', {}, 'no open disputes'],
    ['the differences', 'differences', {}, 'agree'],
    ['a report', 'report', { from: '2026-01-01', to: '2026-01-30' }, 'Nothing happened'],
    ['the payouts', 'disbursements', {}, 'no payouts'],
  ])(
    'shows %s in two or three round trips to D1, and reads few rows',
    async (_, page, query, said) => {
      const of = new URLSearchParams({ property: 'demo', ...query });
      const { d1, rowsRead } = await used(() => manager.open(`/console/${page}?${of.toString()}`));
      expect(manager.page.html).toContain(said);
      // What has more to read lets others have a turn in between.
      const isInTwo = page === 'report' || said.startsWith('Declined');
      expect(d1).toBe(isInTwo ? 3 : 2);
      expect(rowsRead).toBeLessThan(MOST_READ);
    },
  );

  it.each([
    ['a name that all have', 'old', '1–20 of more than 1000 bookings'],
    ['two names that all have', 'an old', '1–20 of more than 1000 bookings'],
    ['the beginning of all references', 'OLD-', '1–20 of more than 1000 bookings'],
    ['the beginning of a thousand', 'OLD-99 an', '1–20 of'],
    ['an e-mail address that all have', 'old@hotel.com', '1–20 of more than 1000 bookings'],
  ])(
    'finds %s in two round trips to D1, and reads a bounded number of rows',
    async (_, q, said) => {
      const of = new URLSearchParams({ property: 'demo', q });
      const { d1, rowsRead } = await used(() => manager.open(`/console/property?${of.toString()}`));
      expect(manager.page.html).toContain(said);
      expect([d1, rowsRead < MOST_READ_BY_SEARCH]).toEqual([2, true]);
    },
  );
});
