/** Every table of the console as CSV: each links to its file, which has the rows that the page shows, and more. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { attachCard, call, callAsAdmin, makeBooking } from '../support/api.ts';
import { DISPUTED, GOOD, INSUFFICIENT_FUNDS, REFUND_FAILS } from '../support/cards.ts';
import { eventually } from '../support/eventually.ts';
import type { Guest } from '../support/guest.ts';
import { compare } from '../support/reconciliation.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const CREATE = '/payment/v1/create';

/** So many changes that the timeline has several pages. */
const DECLINES = 45;

/** A busy machine needs long for so many payments. */
const SETUP_MS = 60_000;

let manager: Guest;

beforeAll(async () => {
  await makeBooking('FILE-1', INSUFFICIENT_FUNDS);
  const amounts = Array.from({ length: DECLINES }, (_, times) => 20 + times);
  for (const amount of amounts) await call(CREATE, { reference: 'FILE-1', amount });
  await attachCard('FILE-1', REFUND_FAILS);
  await call(CREATE, { reference: 'FILE-1', amount: 40, description: '=HYPERLINK("x")' });
  await call('/refund/v1/create', { reference: 'FILE-1', amount: 5 });
  await makeBooking('FILE-2', DISPUTED);
  await call(CREATE, { reference: 'FILE-2', amount: 90 });
  await attachCard('FILE-2', GOOD);
  const time = new Date(Date.now() + DAY_MS).toISOString();
  await call('/payment/v1/schedule', { reference: 'FILE-2', amount: 60, time });
  const act = { action: 'charge', property: 'demo', reference: 'FILE-2', amount: 42 };
  await callAsAdmin('/sandbox/v1/act', { ...act, notify: false });
  await compare();
  manager = await signedIn(seeded.manager.email);
  await eventually(async () => {
    const { html } = await manager.open('/console/disputes?property=demo');
    expect(html).toContain('FILE-2');
  });
}, SETUP_MS);

/** The links of a page to files. */
function filesOf({ page }: Guest): string[] {
  return [...page.html.matchAll(/href="([^"]*format=csv)"/g)].map(([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  );
}

describe('every table has a file', () => {
  it.each([
    ['property?property=demo&q=FILE', [['Booking,First name', 2, 'FILE-1,,Nguyen,booked']]],
    [
      'failed?property=demo',
      [
        ['Time in Australia/Perth,Booking', DECLINES, 'not enough money on the card'],
        ['Time in Australia/Perth,Booking', 1, ',FILE-1,Nguyen,5.00,AUD,'],
      ],
    ],
    ['coming?property=demo', [['Due in', 1, ',FILE-2,Nguyen,Scheduled charge,61.86,AUD,']]],
    ['disputes?property=demo', [['Evidence due', 1, ',FILE-2,Nguyen,92.78,']]],
    ['differences?property=demo', [['Found in', 1, '42.00,AUD']]],
    [
      'booking?property=demo&reference=FILE-1',
      [
        ['Time in', 1, 'Failed: the money did not go back,5.00,AUD'],
        [
          'Time in',
          DECLINES + 1,
          'Declined: not enough money on the card,46.39,1.39,AUD,Visa 9995',
        ],
        ['Time in Australia/Perth,What', DECLINES, 'Payment declined,46.39,AUD,9995,'],
      ],
    ],
  ] as const)('%s', async (page, files) => {
    await manager.open(`/console/${page}`);
    const paths = filesOf(manager);
    expect(paths).toHaveLength(files.length);
    for (const [index, [header, least, words]] of files.entries()) {
      const { headers, html, status } = await manager.open(paths[index] ?? '');
      expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store']);
      expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
      const text = html.replaceAll('"', '');
      const [first = '', ...rows] = text.trimEnd().split('\r\n');
      expect(first).toContain(header);
      expect(rows.length).toBeGreaterThanOrEqual(least);
      expect(text).toContain(words);
      expect(html).not.toMatch(/(?:^|,)"?[=@+]/m);
    }
  });

  it('of a narrowed timeline, its kind alone', async () => {
    await manager.open('/console/booking?property=demo&reference=FILE-1&kind=refunds&format=csv');
    expect(manager.page.html).toContain('Refund');
    expect(manager.page.html).not.toContain('Payment declined');
    const { status } = await manager.open(
      '/console/booking?property=demo&reference=NONE&format=csv',
    );
    expect(status).toBe(404);
  });
});
