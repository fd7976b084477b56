import { beforeAll, describe, expect, it } from 'vitest';
import { selectFound, termsOf } from '../../src/desk/search.ts';
import { attachCard, bookingOf, call, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { words } from '../support/console.ts';
import { used } from '../support/counting.ts';
import type { Guest } from '../support/guest.ts';
import { planOf } from '../support/plans.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms'] });

const DAY_MS = 86_400_000;

let manager: Guest;
let chargeId = 0;
let refundId = 0;

const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** A day as callers write it. */
const typedDay = (days: number) => dayAfter(days).split('-').toReversed().join('-');

async function book(reference: string, days: number, details: Record<string, unknown>) {
  const stay = { arrival: typedDay(days), departure: typedDay(days + 2) };
  const body = bookingOf(reference, { email: 'guest@hotel.com', ...stay, ...details });
  const { json, status } = await call('/booking/v1/create/manage-payments', body);
  if (status !== 200) throw new Error(`no booking: ${JSON.stringify(json)}`);
}

beforeAll(async () => {
  await book('RES-7001', 3, {
    firstName: 'An',
    lastName: 'Nguyen',
    email: 'An.Nguyen@hotel.com',
    phone: '+49 171 234-5678',
    pmsConfirmationNumber: 'PMS-88',
    totalCost: 600,
  });
  await book('RES-7002', 5, { firstName: 'Pieter', lastName: 'van den Berg' });
  await book('CN-00001', 9, { firstName: 'José', lastName: 'García Márquez' });
  await book('CN-00002', 30, { firstName: 'Jürgen', lastName: 'Müller-Straße' });
  await book('CN-00003', -40, { firstName: 'Siobhán', lastName: 'O’Brien', phone: '0171 9999999' });
  await book('CN-00010', 1, { firstName: '太郎', lastName: '山田' });
  await attachCard('RES-7001', GOOD);
  const paid = await call('/payment/v1/create', { reference: 'RES-7001', amount: 150 });
  chargeId = paid.json.transaction.id;
  const refunded = await call('/refund/v1/create', { reference: 'RES-7001', chargeId, amount: 40 });
  refundId = refunded.json.refunds[0]?.id ?? 0;
  manager = await signedIn();
});

const find = (q: string, more: Record<string, string> = {}) =>
  manager.open(
    `/console/property?${new URLSearchParams({ property: 'demo', q, ...more }).toString()}`,
  );

/** The references that are shown, in their order. */
function shown(): string[] {
  const [, main = ''] = manager.page.html.split('<main>');
  return [...main.matchAll(/\/console\/booking\?[^"]*reference=([^"&]+)"/g)].map(
    ([, one = '']) => one,
  );
}

describe('one booking alone opens at once, found by', () => {
  it.each([
    ['its reference in any case', () => 'res-7001', 'RES-7001'],
    ['its reference, where others begin with it', () => 'cn-00001', 'CN-00001'],
    ['the end of its reference', () => '7002', 'RES-7002'],
    ['the parts of its reference', () => 'res 7002', 'RES-7002'],
    ['its guest’s first name', () => 'pieter', 'RES-7002'],
    ['a name of several words', () => 'van den Berg', 'RES-7002'],
    ['the last word of such a name', () => 'berg', 'RES-7002'],
    ['first and last name', () => 'Pieter van den Berg', 'RES-7002'],
    ['last and first name', () => 'Berg, Pieter', 'RES-7002'],
    ['the beginnings of both', () => 'ber pie', 'RES-7002'],
    ['a name without its accents', () => 'garcia marquez', 'CN-00001'],
    ['a name with other accents', () => 'GÀRCÍA', 'CN-00001'],
    ['a name without its umlaut', () => 'muller', 'CN-00002'],
    ['a name with its umlaut', () => 'MÜLLER', 'CN-00002'],
    ['a name with a hyphen', () => 'Müller-Strasse', 'CN-00002'],
    ['a straight apostrophe', () => "O'Brien", 'CN-00003'],
    ['no apostrophe', () => 'obrien', 'CN-00003'],
    ['a name in other letters', () => '山田', 'CN-00010'],
    ['the e-mail address', () => 'an.nguyen@HOTEL.com', 'RES-7001'],
    ['the phone number', () => '+49 171 234 5678', 'RES-7001'],
    ['the phone number as at home', () => '0171 2345678', 'RES-7001'],
    ['the phone number as from abroad', () => '+491719999999', 'CN-00003'],
    ['the last digits of the phone number', () => '5678', 'RES-7001'],
    ['the last four digits of a card', () => '4242', 'RES-7001'],
    ['those with the brand', () => 'visa 4242', 'RES-7001'],
    ['the amount that was charged', () => '154,64', 'RES-7001'],
    ['that amount without its fees', () => '150.00', 'RES-7001'],
    ['the PMS’s confirmation number', () => 'PMS-88', 'RES-7001'],
    ['the id of a charge', () => String(chargeId), 'RES-7001'],
    ['the id of a refund', () => String(refundId), 'RES-7001'],
  ])('%s', async (_, typed, reference) => {
    await find(typed());
    expect([manager.page.status, manager.page.path]).toEqual([
      200,
      `/console/booking?property=demo&reference=${reference}`,
    ]);
  });
});

describe('of several bookings', () => {
  it('the nearest stay comes first, with its state and what is due', async () => {
    await find('cn-');
    expect(shown()).toEqual(['CN-00010', 'CN-00001', 'CN-00002', 'CN-00003']);
    await find('guest@');
    expect(words(manager)).toContain('To pay');
    expect(words(manager)).toMatch(/Booking State Arrival Departure Total Due/);
  });

  it('none is found by what it does not have', async () => {
    for (const typed of ['nobody', 'van nguyen', 'n@', '~1007', '%', "' OR 1", '""']) {
      await find(typed);
      expect([typed, manager.page.status, shown()]).toEqual([typed, 200, []]);
    }
  });

  it('names that were changed find it, and former ones do not', async () => {
    await book('RES-7002', 5, { firstName: 'Pietra', lastName: 'van den Berg' });
    await find('pietra');
    expect(manager.page.path).toContain('reference=RES-7002');
    await find('pieter');
    expect(shown()).toEqual([]);
  });

  it('twenty are shown, with how many there are, and all are reached', async () => {
    for (let number = 1; number <= 45; number += 1)
      await book(`BULK-${100 + number}`, number, { firstName: 'Bo', lastName: 'Bulk' });
    const seen: string[] = [];
    await find('bulk');
    expect(words(manager)).toContain('1–20 of 45 bookings');
    for (let next: string | undefined = manager.page.path; next !== undefined; ) {
      await manager.open(next);
      seen.push(...shown());
      next = /href="([^"]*)">Next 20/.exec(manager.page.html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `BULK-${101 + index}`));
  });
});

it('of more than a thousand, the nearest are listed, page after page, and the page says so', async () => {
  await testEnv.DB.batch(
    [
      `INSERT INTO bookings (property_id, reference, status, arrival, departure, last_name, email, currency,
         total_cost_minor, first_night_cost_minor, created_at_ms, updated_at_ms, search_words) ${MANY}
       SELECT 'demo', 'VAST-' || n, 'booked', '2030-01-01', '2030-01-02', 'Vast', 'v@hotel.com', 'AUD', 1, 1, 1, 1,
         ' vast' || n || ' vast' FROM series`,
      `INSERT INTO booking_words (property_id, word, booking_reference) ${MANY}
       SELECT 'demo', 'vast', 'VAST-' || n FROM series`,
    ].map((insert) => testEnv.DB.prepare(insert)),
  );
  await find('vast');
  const nearest = 'Only the stays nearest to today are listed';
  expect(words(manager)).toContain('1–20 of more than 1000 bookings');
  expect(words(manager)).toContain(nearest);
  const seen = new Set<string>();
  for (let next: string | undefined = manager.page.path; next !== undefined; ) {
    await manager.open(next);
    for (const one of shown()) seen.add(one);
    next = /href="([^"]*)">Next 20/.exec(manager.page.html)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(seen.size).toBeGreaterThan(1_000);
  expect(words(manager)).toContain(nearest);
  await find('cn-');
  expect(words(manager)).not.toContain(nearest);
});

const MANY =
  'WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 1100)';

it('each part of the search reads by an index, in two round trips', async () => {
  const terms = termsOf('An 4242', 'AUD');
  if (terms === null) throw new Error('no terms');
  const property = { id: 'demo', today: dayAfter(0) };
  const plan = await planOf(selectFound(property, terms, { limit: 20 }));
  const scanned = [...plan.matchAll(/SCAN (\w+)/g)].map(([, table]) => table);
  expect(
    scanned.filter((table) =>
      /^(?:bookings?|cards|transactions|refunds|history)/.test(table ?? ''),
    ),
  ).toEqual([]);
  for (const by of [
    'booking_words USING PRIMARY KEY (property_id=? AND word>? AND word<?)',
    'bookings_by_arrival (property_id=? AND arrival>?)',
    'bookings_by_confirmation (property_id=? AND pms_confirmation_number=?)',
    'cards_by_last4 (property_id=? AND last4=?)',
  ]) {
    expect(plan).toContain(by);
  }
  expect((await used(() => find('cn-'))).d1).toBe(2);
});
