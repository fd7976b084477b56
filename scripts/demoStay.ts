/** The part of the demo that takes 19 weeks: a student's stay with weekly charges by one payment plan, played by the test clock. */
import { styleText } from 'node:util';
import type { DemoClient } from './demoClient.ts';
import { seeded } from './seed.ts';

const property = 'student-house';
const reference = 'STAY-19';

const WEEKS = 19;
/** In this week the bank declines, until the student gives another card two days later. */
const DECLINED_WEEK = 8;
const RENT = 250;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The clients of the demo, and a client for the property of this part. */
interface StayClients {
  readonly admin: DemoClient;
  readonly engine: DemoClient;
}

/** The charge of a part, as the list shows it. */
interface Charge {
  readonly scheduledTime: string;
  readonly amount: number;
  readonly status: string;
  readonly attempts: number;
}

/** Plays the stay on a property of its own, prints it as a table, and returns the property. */
export async function playStay({ admin, engine }: StayClients): Promise<string> {
  await admin.authenticate('Get an access token as the administrator', seeded.admin);
  const clients = { admin, engine };
  await makeProperty(clients);
  const weeks = await bookStay(engine);
  const startedMs = Date.now();
  await playWeeks(clients, weeks);
  const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1);
  await printTable(engine, weeks);
  console.log(`\n    ${WEEKS} weeks in ${seconds} seconds`);
  return property;
}

async function makeProperty({ admin, engine }: StayClients): Promise<void> {
  await admin.post(
    'A student’s stay of 19 weeks, with a charge a week: make a property for it',
    '/admin/v1/property/put',
    {
      property,
      name: 'Student House',
      site: 'student-house.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
    },
  );
  const made = await admin.ask('/admin/v1/client/create', {
    property,
    scopes: ['bookings', 'payments', 'cards'],
  });
  await engine.authenticate('Get an access token of that property', {
    id: String(made['clientId']),
    secret: String(made['clientSecret']),
  });
}

/** Books the stay with a card, and plans its charges. Returns their times. */
async function bookStay(engine: DemoClient): Promise<number[]> {
  // Each Monday at nine in Perth.
  const perthMs = 8 * HOUR_MS;
  const today = new Date(Date.now() + perthMs);
  const untilMonday = ((8 - today.getUTCDay()) % 7) + 7;
  const firstMs = today.setUTCHours(9, 0, 0, 0) - perthMs + untilMonday * DAY_MS;
  const weeks = Array.from({ length: WEEKS }, (_week, index) => firstMs + index * 7 * DAY_MS);
  await engine.post('Book 19 weeks', '/booking/v1/create/manage-payments', {
    reference,
    arrival: dayOf(firstMs),
    departure: dayOf(firstMs + WEEKS * 7 * DAY_MS),
    status: 'booked',
    email: 'student@university.edu',
    lastName: 'Nguyen',
    totalCost: WEEKS * RENT,
    firstNightCost: RENT,
  });
  await storeCard(engine, 'Store the student’s card', '4242424242424242');
  await engine.post('Plan the rent: a part each week of the stay', '/payment-plan/v1/put', {
    reference,
    repeat: { every: 'week', amount: RENT, label: 'Rent' },
  });
  return weeks;
}

/** Advances the clock over the weeks. In one of them the card declines, and the student gives another. */
async function playWeeks({ admin, engine }: StayClients, weeks: readonly number[]): Promise<void> {
  const declinedMs = weeks[DECLINED_WEEK - 1] ?? 0;
  await advance(admin, 'Advance the clock by seven weeks', declinedMs - DAY_MS);
  await storeCard(engine, 'Store a card that the bank declines', '4000000000000002');
  await advance(
    admin,
    'Advance it into the eighth week: the charge is declined, and again after an hour and a day',
    declinedMs + 2 * DAY_MS,
  );
  await storeCard(engine, 'Store a good card: the last retry will take it', '4242424242424242');
  await advance(admin, 'Advance it to the end of the stay', (weeks.at(-1) ?? 0) + 7 * DAY_MS);
}

async function advance(admin: DemoClient, title: string, toMs: number): Promise<void> {
  await admin.post(title, '/sandbox/v1/clock/advance', { property, to: inPerth(toMs) });
}

async function storeCard(engine: DemoClient, title: string, cardNumber: string): Promise<void> {
  await engine.post(title, '/payment/v1/tokenize', {
    reference,
    cardNumber,
    cardHolderName: 'A Nguyen',
    cardExpiry: `12/${new Date().getUTCFullYear() + 3}`,
    cvv: '123',
  });
}

/** Prints each week with its charge, and what was still due a week after it was planned. */
async function printTable(engine: DemoClient, weeks: readonly number[]): Promise<void> {
  engine.announce('The whole stay, with what is still due at the end of each week', 'a table');
  const { transactions } = (await engine.ask('/payment/v1/transaction', {
    reference,
  })) as unknown as { transactions: readonly Charge[] };
  const charges = new Map(transactions.map((one) => [Date.parse(one.scheduledTime), one]));
  console.log(
    `    ${styleText('bold', row(['week', 'date', 'amount', 'status', 'attempts', 'balance']))}`,
  );
  for (const [index, atMs] of weeks.entries()) {
    const charge = charges.get(atMs);
    if (charge === undefined) throw new Error('A week has no charge.');
    const asOf = inPerth(atMs + 6 * DAY_MS);
    const { balance } = (await engine.ask('/payment/v1/balance', {
      reference,
      asOf,
    })) as unknown as {
      balance: { readonly due: number };
    };
    const { amount, status, attempts } = charge;
    const cells = [index + 1, inPerth(atMs).slice(0, 10), amount.toFixed(2), status, attempts];
    console.log(`    ${row([...cells, balance.due.toFixed(2)])}`);
  }
}

const WIDTHS = [4, 12, 8, 10, 8, 10];

function row(cells: readonly (string | number)[]): string {
  return cells.map((cell, index) => String(cell).padStart(WIDTHS[index] ?? 0)).join('  ');
}

/** An instant as a clock in Perth shows it, with offset. */
function inPerth(atMs: number): string {
  return `${new Date(atMs + 8 * HOUR_MS).toISOString().slice(0, 19)}+08:00`;
}

/** The day of an instant in Perth, as bookings take it. */
function dayOf(atMs: number): string {
  const [year, month, day] = inPerth(atMs).slice(0, 10).split('-');
  return `${day}-${month}-${year}`;
}
