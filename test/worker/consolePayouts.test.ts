import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { selectPayouts } from '../../src/desk/lists.ts';
import {
  selectAround,
  selectItemSums,
  selectItemsOfMatches,
  selectPayoutItems,
} from '../../src/desk/reports/payouts.ts';
import { sweepSandboxDisbursements } from '../../src/sandbox/disbursements.ts';
import { atTime, call, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import type { Guest } from '../support/guest.ts';
import { planOf } from '../support/plans.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms'] });

/** Noon in Perth; its money arrives two days later. */
const FIRST_MS = Date.parse('2026-10-01T12:00:00+08:00');

/** More days than a page lists, and on the first more payments than a page shows. */
const DAYS = 27;
const PAYMENTS = 42;

/** A busy machine needs long for so many payments. */
const SETUP_MS = 60_000;

let manager: Guest;

beforeAll(async () => {
  await atTime(FIRST_MS, async () => {
    const references = Array.from({ length: PAYMENTS }, (_, number) => `P-${number + 1}`);
    await Promise.all(
      references.map(async (reference) => {
        await makeBooking(reference, GOOD);
        await call('/payment/v1/create', { reference, amount: 10 });
      }),
    );
    await call('/refund/v1/create', { reference: 'P-1', amount: 4 });
  });
  await atTime(FIRST_MS, () => makeBooking('LATER', GOOD));
  for (let day = 1; day < DAYS; day += 1) {
    const body = { reference: 'LATER', amount: 100 + day };
    await atTime(FIRST_MS + day * DAY_MS, () => call('/payment/v1/create', body));
  }
  const endMs = FIRST_MS + (DAYS + 3) * DAY_MS;
  // One sweep opens the days, the next ones close and pay them.
  for (const times of [0, 1, 2]) {
    await atTime(endMs + times, () => sweepSandboxDisbursements(testEnv, endMs + times));
  }
  manager = await signedIn(seeded.manager.email);
}, SETUP_MS);

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');

/** The rows of a file; no text in them holds a quote or a comma. */
const rowsIn = (csv: string) => csv.replaceAll('"', '').trimEnd().split('\r\n').slice(1);

const FIRST = '/console/disbursement?property=demo&id=sandbox-demo-2026-10-01';

const bankLine = (fields: Record<string, string>) =>
  `/console/bank-line?${new URLSearchParams({ property: 'demo', ...fields }).toString()}`;

describe('disbursements', () => {
  it('are listed a page at a time, each once, with the number of their items', async () => {
    await manager.open('/console/disbursements?property=demo');
    const ids = () =>
      [...manager.page.html.matchAll(/disbursement\?[^"]*id=([\w-]+)"/g)].map(([, id]) => id);
    const first = ids();
    const [, next = ''] = /href="([^"]*after=[^"]*)"/.exec(manager.page.html) ?? [];
    await manager.open(next.replaceAll('&amp;', '&'));
    expect(first).toHaveLength(20);
    expect(ids().slice(-2)).toEqual(['sandbox-demo-2026-10-02', 'sandbox-demo-2026-10-01']);
    expect(new Set([...first, ...ids()]).size).toBe(DAYS);
    expect(textOf(manager.page.html)).toContain(
      `sandbox-demo-2026-10-01 3 October 2026 Paid out ${PAYMENTS + 1} AUD 429.02 AUD 13.02 AUD 416.00`,
    );
    await manager.open('/console/disbursements?property=demo&format=csv');
    expect(rowsIn(manager.page.html)).toHaveLength(DAYS);
    expect(rowsIn(manager.page.html).at(-1)).toBe(
      `sandbox-demo-2026-10-01,2026-10-03,Paid out,Payments and refunds of 2026-10-01,${PAYMENTS + 1},AUD,429.02,13.02,416.00`,
    );
  });

  it('are shown down to the bookings, and add up', async () => {
    await manager.open(FIRST);
    const text = textOf(manager.page.html);
    expect(text).toContain(`Payment ${PAYMENTS} AUD 433.02 AUD 13.02 AUD 420.00`);
    expect(text).toContain('Refund 1 −AUD 4.00 AUD 0.00 −AUD 4.00');
    expect(text).toContain(`Total ${PAYMENTS + 1} AUD 429.02 AUD 13.02 AUD 416.00`);
    expect(manager.page.html).toContain('href="/console/booking?property=demo&amp;reference=P-1"');
    const booked = () =>
      [...manager.page.html.matchAll(/reference=(P-\d+)"/g)].map(([, one]) => one);
    const first = booked();
    const [, later = ''] = /href="([^"]*after=[^"]*)">Later items/.exec(manager.page.html) ?? [];
    await manager.open(later.replaceAll('&amp;', '&'));
    expect([first.length, booked().length]).toEqual([40, 3]);
    expect(new Set([...first, ...booked()]).size).toBe(PAYMENTS);
    await manager.open(`${FIRST}&format=csv`);
    const cents = rowsIn(manager.page.html).map((row) => Number(row.split(',').at(-2)) * 100);
    expect(Math.round(cents.reduce((sum, one) => sum + one, 0))).toBe(41_600);
  });

  it('are not found under a strange id or cursor', async () => {
    for (const id of ['', 'sandbox-demo-2020-01-01', "' OR 1=1"]) {
      const path = `/console/disbursement?${new URLSearchParams({ property: 'demo', id }).toString()}`;
      expect((await manager.open(path)).status).toBe(404);
    }
    expect((await manager.open(`${FIRST}&after=nonsense`)).status).toBe(200);
    const { html } = await manager.open('/console/disbursements?property=demo&after=nonsense');
    expect(html).toContain('sandbox-demo-2026-10-27');
  });
});

describe('a bank line', () => {
  it.each([
    [{ amount: '416.00', day: '2026-10-03' }, 'It is this payout', 'on that day'],
    [{ amount: '416,00', day: '2026-10-05' }, 'It is this payout', '2 days earlier'],
    [{ amount: 'AUD 416', day: '2026-10-06', days: '0' }, 'Nothing fits exactly', '3 days earlier'],
    [{ amount: '429.02', day: '2026-10-03' }, 'Nothing fits exactly', 'what guests paid'],
    [{ amount: '-416', day: '2026-10-03' }, 'Nothing fits exactly', 'the other way'],
    [{ amount: '415.50', day: '2026-10-03' }, 'Nothing fits exactly', 'AUD 0.50 more'],
    [{ amount: '416', day: '2026-10-03', currency: 'eur' }, 'Nothing fits exactly', 'is in AUD'],
    [{ amount: '77777', day: '2026-10-03' }, 'Nothing fits exactly', 'No payout of exactly'],
  ])('%j: %s', async (fields, heading, words) => {
    const { html, status } = await manager.open(bankLine(fields));
    expect([status, textOf(html).includes(heading)]).toEqual([200, true]);
    expect(textOf(html)).toContain(words);
    expect(html.includes('reference=P-1"')).toBe(heading === 'It is this payout');
  });

  it('has its bookings as a file', async () => {
    const fields = { amount: '416.00', day: '2026-10-03', format: 'csv' };
    await manager.open(bankLine(fields));
    expect(rowsIn(manager.page.html)).toHaveLength(PAYMENTS + 1);
    expect(rowsIn(manager.page.html).join('\n')).toContain(
      'sandbox-demo-2026-10-01,P-1,Nguyen,Payment,P-1,2026-10-01 12:00:00,AUD,10.31,0.31,10.00,',
    );
  });

  it('says what is wrong with what was typed, and keeps it', async () => {
    const { html, status } = await manager.open(
      bankLine({ amount: '12 or so', day: '2026-02-30', currency: 'XXQ' }),
    );
    expect(status).toBe(422);
    for (const words of [
      'Enter an amount such as 600.00.',
      'Enter the day of the bank line.',
      'Enter the three letters of a currency, such as AUD.',
      'value="12 or so"',
      'value="XXQ"',
    ]) {
      expect(html).toContain(words);
    }
    expect((await manager.open('/console/bank-line?property=demo')).status).toBe(200);
  });
});

it('each page takes two round trips to D1', async () => {
  for (const path of [
    '/console/disbursements?property=demo',
    FIRST,
    bankLine({ amount: '416.00', day: '2026-10-03' }),
  ]) {
    expect([path, (await used(() => manager.open(path))).d1]).toEqual([path, 2]);
  }
});

it('payouts are for managers of the property and administrators', async () => {
  await makeProperty('elsewhere');
  const expected = { viewer: 403, cashier: 403, manager: 200, admin: 200 } as const;
  const people = Object.entries(expected).map(([role, status]) => ({
    role,
    status,
    property: 'demo',
  }));
  for (const { property, role, status } of [
    ...people,
    { role: 'manager', status: 404, property: 'elsewhere' },
  ]) {
    const email = `${role}-${property}@hotel.com`;
    await putUser({ email, role, ...(role !== 'admin' && { property }) });
    const person = await signedIn(email);
    for (const path of [
      '/console/disbursements?property=demo',
      `${FIRST}&format=csv`,
      bankLine({ amount: '416.00', day: '2026-10-03' }),
    ]) {
      await person.open(path);
      expect([email, path, person.page.status]).toEqual([email, path, status]);
    }
  }
});

it('each part reads by an index, however many payouts there are', async () => {
  const property = { id: 'demo', timeZone: 'Australia/Perth' };
  const line = { amountMinor: 1, currency: 'AUD', day: '2026-10-03', days: 3 };
  const items =
    'USING INDEX disbursement_items_by_disbursement (property_id=? AND disbursement_id=?)';
  const inTime =
    'disbursements USING INDEX disbursements_by_time (property_id=? AND effective_at_ms>? AND effective_at_ms<?)';
  const arriving =
    'disbursements USING INDEX disbursements_by_arrival (property_id=? AND arrival_date>? AND arrival_date<?)';
  for (const [statement, by] of [
    [selectPayouts('demo', { limit: 10 }), 'disbursements_by_time (property_id=?)'],
    [selectItemSums('demo', 'x'), items],
    [selectPayoutItems('demo', 'x', { limit: 10 }), items],
    [selectAround(property, line), inTime],
    [selectItemsOfMatches(property, line, 10), arriving],
  ] as const) {
    const plan = await planOf(statement);
    expect(plan).toContain(by);
    expect(plan).not.toContain('SCAN');
  }
});
