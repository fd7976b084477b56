/** What is outstanding is what the lists of the interface say, to the cent, whatever happened to a booking. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { selectOwed, selectOwedSums } from '../../src/desk/reports/owing.ts';
import { newestPaid, sandboxDesk, tellOfDispute } from '../support/acquirerDesk.ts';
import { atTime, attachCard, bookingOf, call, callAsAdmin, testEnv } from '../support/api.ts';
import { GOOD, INSUFFICIENT_FUNDS } from '../support/cards.ts';
import { words } from '../support/console.ts';
import { used } from '../support/counting.ts';
import { faultKinds, withFault } from '../support/faults.ts';
import type { Guest } from '../support/guest.ts';
import { planOf } from '../support/plans.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'mails', 'news', 'pms'] });

/** How many stays nobody has paid anything of: more than a page of the list. */
const UNPAID = 23;

const IN_A_WEEK = new Date(Date.now() + 7 * DAY_MS).toISOString();

let manager: Guest;

async function book(reference: string, details: Record<string, unknown> = {}) {
  const { status } = await call(
    '/booking/v1/create/manage-payments',
    bookingOf(reference, { totalCost: 600.1, ...details }),
  );
  expect(status).toBe(200);
}

async function paid(reference: string, amount: number, details: Record<string, unknown> = {}) {
  await book(reference, details);
  await attachCard(reference, GOOD);
  const { json } = await call('/payment/v1/create', { reference, amount, isVirtualCard: false });
  expect(json.success).toBe(true);
  return json.transaction.id;
}

/** A payment that is disputed: what the bank decides is told by the returned function. */
async function disputed(reference: string, amount: number) {
  await paid(reference, amount);
  const payment = await newestPaid(reference);
  const id = await sandboxDesk.dispute(payment.payment);
  await tellOfDispute(payment, id);
  return async (as: 'won' | 'lost') => {
    await sandboxDesk.closeDispute(payment.payment, as);
    await tellOfDispute(payment, id);
  };
}

/** Bookings in every state that money can be in, each by its reference. */
const states: Record<string, (reference: string) => Promise<unknown>> = {
  PAID: (reference) => paid(reference, 600.1),
  PARTLY: (reference) => paid(reference, 100.37),
  OVERPAID: (reference) => paid(reference, 700),
  DECLINED: async (reference) => {
    await book(reference);
    await attachCard(reference, INSUFFICIENT_FUNDS);
    await call('/payment/v1/create', { reference, amount: 600.1 });
  },
  DISPUTED: (reference) => disputed(reference, 600.1),
  WON: async (reference) => (await disputed(reference, 600.1))('won'),
  LOST: async (reference) => (await disputed(reference, 200))('lost'),
  CANCELLED: async (reference) => {
    await paid(reference, 50);
    await book(reference, { status: 'cancelled' });
  },
  'BOOKED-AGAIN': async (reference) => {
    await book(reference, { status: 'cancelled' });
    await book(reference);
  },
  SCHEDULED: async (reference) => {
    await book(reference);
    await attachCard(reference, GOOD);
    await call('/payment/v1/schedule', { reference, amount: 480, time: IN_A_WEEK });
  },
  UNKNOWN: (reference) => book(reference, { totalCost: 0 }),
  'KNOWN-LATER': async (reference) => {
    await book(reference, { totalCost: 0 });
    await book(reference, { totalCost: 33.33 });
  },
  LOWERED: async (reference) => {
    await paid(reference, 100);
    await book(reference, { totalCost: 99 });
  },
  REFUNDED: async (reference) => {
    const chargeId = await paid(reference, 600.1);
    await call('/refund/v1/create', { reference, chargeId, amount: 20.01 });
  },
  WAIVED: async (reference) => {
    const chargeId = await paid(reference, 600.1);
    await call('/refund/v1/create', { reference, chargeId, amount: 20.01, waive: true });
  },
  BOND: async (reference) => {
    await book(reference);
    await attachCard(reference, GOOD);
    await call('/payment/v1/create', { reference, amount: 70, transactionType: 'Bond' });
  },
  PAST: (reference) => book(reference, { arrival: '01-03-2019', departure: '05-03-2019' }),
  'FAR-AHEAD': (reference) => book(reference, { arrival: '01-03-2034', departure: '05-03-2034' }),
  MOVED: async (reference) => {
    await book(reference, { arrival: '01-03-2019', departure: '05-03-2019' });
    await book(reference, { arrival: '01-03-2033', departure: '05-03-2033' });
  },
};

interface Listed {
  readonly bookings: readonly { readonly bookingReference: string }[];
  readonly nextCursor: string | null;
}

/** What is due of every booking that is not cancelled, by the list of bookings and their balances, in cents. */
async function dueByLists(more: object = {}): Promise<Map<string, number>> {
  const due = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const { json } = await call('/booking/v1/list', {
      status: 'booked',
      ...more,
      ...(cursor !== null && { cursor }),
    });
    const { bookings } = json as unknown as Listed;
    const balances = bookings.map(({ bookingReference: reference }) =>
      call('/payment/v1/balance', { reference }),
    );
    for (const { json: of } of await Promise.all(balances)) {
      const { bookingReference, due: owed } = of.balance;
      if (owed > 0) due.set(bookingReference, Math.round(owed * 100));
    }
    cursor = (json as unknown as Listed).nextCursor;
  } while (cursor !== null);
  return due;
}

const inCents = (amount: string) => Math.round(Number(amount.replaceAll(',', '')) * 100);

const open = (query = '') => manager.open(`/console/outstanding?property=demo${query}`);

/** What the page's heading says, and its lines by arrival, in cents. */
async function shownSums() {
  await open();
  const text = words(manager);
  const [, all = '0'] = /AUD ([\d,.]+) outstanding/.exec(text) ?? [];
  const ages = [...text.matchAll(/(overdue|tomorrow|7 days|30 days|Later) (\d+) AUD ([\d,.]+)/g)];
  return {
    allMinor: inCents(all),
    number: ages.reduce((sum, [, , number]) => sum + Number(number), 0),
    agesMinor: ages.reduce((sum, [, , , amount = '']) => sum + inCents(amount), 0),
    byAge: Object.fromEntries(ages.map(([, age, number]) => [age, Number(number)])),
  };
}

/** The lines of the file: reference and what is due, in cents. */
async function fileOf(): Promise<Map<string, number>> {
  await open('&format=csv');
  const [head = '', ...lines] = manager.page.html.replace('\uFEFF', '').trim().split('\r\n');
  const names = head.split(',').map((name) => name.replaceAll('"', ''));
  return new Map(
    lines.map((line) => {
      const cells = line.split(',').map((cell) => cell.replaceAll('"', ''));
      return [cells[names.indexOf('Booking')] ?? '', inCents(cells[names.indexOf('Due')] ?? '')];
    }),
  );
}

const sumOf = (due: ReadonlyMap<string, number>) =>
  [...due.values()].reduce((sum, one) => sum + one, 0);

/** The page, its sums by arrival and its file say what the lists say. */
async function expectLists(due: ReadonlyMap<string, number>) {
  const { agesMinor, allMinor, number } = await shownSums();
  expect([allMinor, agesMinor, number]).toEqual([sumOf(due), sumOf(due), due.size]);
  expect(new Map(await fileOf())).toEqual(new Map(due));
}

beforeAll(async () => {
  manager = await signedIn();
});

describe('what is outstanding', () => {
  it('is nothing where nobody owes anything', async () => {
    await open();
    expect(words(manager)).toContain('Nobody owes anything.');
    expect(await fileOf()).toEqual(new Map());
  });

  it('is what the lists say of bookings in every state, whenever they arrive', async () => {
    for (const [name, make] of Object.entries(states)) await make(`OWE-${name}`);
    for (let n = 1; n <= UNPAID; n += 1) await book(`OWE-${n}`, { totalCost: n + 0.05 });
    const due = await dueByLists();
    expect([...due.keys()]).toEqual(expect.arrayContaining(['OWE-PAST', 'OWE-MOVED', 'OWE-LOST']));
    expect(due.has('OWE-PAID') || due.has('OWE-CANCELLED') || due.has('OWE-UNKNOWN')).toBe(false);
    await expectLists(due);
    expect((await shownSums()).byAge).toMatchObject({ overdue: 1 });
  });

  it('follows what happens to a booking between two looks', async () => {
    const pay = (reference: string, amount: number) =>
      call('/payment/v1/create', { reference, amount, isVirtualCard: false });
    await pay('OWE-PARTLY', 499.73);
    await book('OWE-5', { status: 'cancelled' });
    await book('OWE-PAID', { totalCost: 700 });
    await book('OWE-PAST', { arrival: '01-03-2035', departure: '05-03-2035' });
    const payment = await newestPaid('OWE-OVERPAID');
    await tellOfDispute(payment, await sandboxDesk.dispute(payment.payment));
    const due = await dueByLists();
    expect([due.has('OWE-PARTLY'), due.get('OWE-PAID')]).toEqual([false, 99_90]);
    await expectLists(due);
  });

  it.each(faultKinds)(
    'is right once it is looked at again, whatever went wrong: %s',
    async (kind) => {
      const reference = `OWE-${kind.replace(' ', '-')}`;
      await book(reference, { totalCost: 12.34 });
      await withFault({ boundary: 'd1.sums.follow', nth: 0 }, kind, () => open());
      expect((await fileOf()).get(reference)).toBe(12_34);
    },
  );

  it('is shown by arrival, twenty a page, down to the last', async () => {
    const due = await dueByLists();
    await open();
    const seen: string[] = [];
    const read = () => {
      const rows = manager.page.html.matchAll(/<th scope="row"><a href="[^"]*reference=([^"&]+)"/g);
      seen.push(...[...rows].map(([, reference = '']) => reference));
    };
    read();
    expect(seen).toHaveLength(20);
    for (let next = nextPage(); next !== null; next = nextPage()) {
      await manager.open(next);
      read();
    }
    expect(seen.toSorted()).toEqual([...due.keys()].toSorted());
    expect(seen.slice(-3)).toEqual(['OWE-MOVED', 'OWE-FAR-AHEAD', 'OWE-PAST']);
  });

  it('reads the entries of an index, and no more once nothing is new', async () => {
    await open();
    const again = await used(() => open());
    expect(again).toMatchObject({ d1: 3, rowsWritten: 0 });
    const sums = await planOf(selectOwedSums('demo', '2027-01-01'));
    expect(sums).toContain('owed_days USING PRIMARY KEY (property_id=?)');
    const list = await planOf(selectOwed('demo', { limit: 20, after: ['2027-01-01', 'X'] }));
    expect(list).toContain('owed_bookings_by_arrival');
  });

  it('has what a guest owes who left long ago, and whose booking is archived', async () => {
    await testEnv.DB.prepare(
      "UPDATE outbox SET status = 'Dismissed', due_at_ms = NULL, completed_at_ms = 1 WHERE status = 'Pending'",
    ).run();
    const due = await dueByLists();
    await atTime('2031-01-01T00:00:00Z', async () => {
      await callAsAdmin('/admin/v1/archive/run', { property: 'demo' });
    });
    const archived = await dueByLists({ archived: true });
    expect(archived.size).toBeGreaterThan(5);
    const all = new Map([...(await dueByLists()), ...archived]);
    expect(all).toEqual(due);
    await expectLists(due);
    // It comes back, and is paid.
    await call('/payment/v1/tokenize', {
      reference: 'OWE-7',
      cardNumber: GOOD,
      cardExpiry: '12/2030',
    });
    await call('/payment/v1/create', { reference: 'OWE-7', amount: 7.05, isVirtualCard: false });
    due.delete('OWE-7');
    await expectLists(due);
  });
});

function nextPage(): string | null {
  const [, href = null] = /<a href="([^"]*after=[^"]*)"/.exec(manager.page.html) ?? [];
  return href?.replaceAll('&amp;', '&') ?? null;
}
