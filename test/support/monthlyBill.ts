/** What a month costs at Cloudflare, from measured costs of operations, its prices and what is assumed of the use. */
import { markdown } from './costTables.ts';
import type { Used } from './counting.ts';

/** What a call does besides its operation, every few minutes. */
export const CLIENT = 'client looked up';

/** The alarm that ends what a booking's object keeps. */
export const ENDED = 'object ends after the stay';

/** The same without an endpoint and with one: what an event costs besides its delivery. */
export const TOLD_EVENT = [
  'first schedule of a booking',
  'first schedule of a booking, with an endpoint',
] as const;

/** How many events an endpoint gets of one booking: of its changes, cards and schedules, and of money. */
const EVENTS_PER_BOOKING = 5.1;

/** How often an operation is done for one booking in all its life: assumed. */
const PER_BOOKING = {
  [CLIENT]: 5.7,
  'booking made': 1,
  'booking changed': 0.5,
  "booking's details": 1,
  'card tokenized': 0.6,
  'charge, cold': 0.7,
  'charge scheduled': 0.6,
  'scheduled charge fires': 0.6,
  hold: 0.1,
  'hold captured': 0.1,
  refund: 0.1,
  'list of payments': 1,
  [ENDED]: 1,
  'guest opens the page': 0.6,
  'guest enters a card': 0.4,
  'guest pays': 0.4,
  'news that says nothing new': 2,
  'message to a PMS': 3.8,
  'event delivered': EVENTS_PER_BOOKING,
  'mail sent': 0.5,
} as const satisfies Readonly<Record<string, number>>;

/** How many of the charges, captures and refunds above are movements to disburse, for one booking. */
const MOVEMENTS_PER_BOOKING = 1.9;

/** Everything else that is assumed. */
const ASSUMED = {
  /** A property for so many bookings a month. */
  bookingsPerProperty: 1_000,
  /** Tokens that the client of a property gets in a month: one an hour. */
  tokensPerProperty: 720,
  /** For how many months everything of a booking is kept. */
  monthsKept: 12,
  /** For how many months its object keeps something: from booking to 30 days after the departure. */
  monthsWithObject: 4,
  /** How many bookings have a record in the exports. */
  exportedShare: 0.1,
  /** How many daily files of each kind are kept: the service's own setting. */
  exportDaysKept: 400,
  /** Processor time of one HTTP request, in milliseconds. */
  cpuMsPerRequest: 5,
  /** For how long one request or alarm keeps an object at work: most of it is waiting for the gateway. */
  secondsPerObjectRequest: 0.3,
  /** How full one database is let become, in bytes; D1 allows 10 GB. */
  bytesPerDatabase: 8e9,
} as const;

/** What D1 and the objects keep of things, measured in bytes. */
interface Sizes {
  /** With the deliveries of its events, and its mails. */
  readonly perToldBooking: number;
  /** After a month, when what has done its work was let go of. */
  readonly perOldToldBooking: number;
  readonly perObject: number;
  readonly perExportedRow: number;
}

/** What was measured: operations by name, how far the sweep and a message grow with a property, and sizes. */
export interface Measured {
  readonly costs: ReadonlyMap<string, Used>;
  /** Rows that one sweep, and one message, reads more for each further property of its database. */
  readonly sweepRowsPerProperty: number;
  readonly messageRowsPerProperty: number;
  readonly sizes: Sizes;
}

/** An amount of something in a month, what the plan includes of it, and the price of one more, in dollars. */
interface Item {
  readonly name: string;
  readonly amount: number;
  readonly included: number;
  readonly price: number;
}

const MILLION = 1e6;
const GB = 1e9;
const DAYS = 30;
const SWEEPS = DAYS * 24 * 60;
const PLAN_DOLLARS = 5;
const OBJECT_GB = 0.128;
const PART_BYTES = 5 * 1024 * 1024;

/** Operations that are not a booking's, by the names under which they are measured. */
export const SWEEP = "a minute's sweep, nothing due";
export const DISBURSED = 'a day of 20 movements disbursed';
export const FILES = [
  'property-system file, 1,000 bookings',
  'application file, 750 applications',
] as const;

/** The books of the day of what was measured. */
export const LEDGER = 'ledger file, the day of these operations';
const MOVEMENTS_MEASURED = 20;

/** A page of movements that agree with the journal, the first time and whenever else. */
export const COMPARED = ['100 movements compared', '100 movements compared again'] as const;
const MOVEMENTS_COMPARED = 100;

/** How often a movement is compared: by the hourly runs of its first two hours and by each nightly one of ten days. */
const COMPARISONS = 13;

/** A table of what so many new bookings a month come to, in dollars. */
export function billTable(measured: Measured, volumes: readonly number[]): string {
  const bills = volumes.map((bookings) => ({ bookings, items: itemsOf(measured, bookings) }));
  const names = bills[0]?.items.map(({ name }) => name) ?? [];
  const head = ['a month', ...volumes.map((bookings) => `${count(bookings)} bookings`)];
  const rows = names.map((name) => [
    name,
    ...bills.map(({ items }) => {
      const item = items.find((one) => one.name === name) as Item;
      return `${count(item.amount)} → $${dollars(item).toFixed(2)}`;
    }),
  ]);
  const totals = bills.map(({ items }) => `**$${(PLAN_DOLLARS + totalOf(items)).toFixed(2)}**`);
  const cents = volumes.map((volume) => `¢${(costOfBooking(measured, volume) * 100).toFixed(3)}`);
  const databases = volumes.map((volume) => String(databasesFor(measured, volume)));
  return markdown(head, [
    ...rows,
    ['**all**, with $5 for the plan', ...totals],
    ['a booking', ...cents],
    ['databases', ...databases],
  ]);
}

/** What one booking comes to, in dollars, when so many come in a month. */
export function costOfBooking(measured: Measured, bookings: number): number {
  return (PLAN_DOLLARS + totalOf(itemsOf(measured, bookings))) / bookings;
}

/** How many databases hold what is kept when so many bookings come in a month. */
function databasesFor({ sizes }: Measured, bookings: number): number {
  return Math.max(1, Math.ceil(bytesKept(sizes, bookings) / ASSUMED.bytesPerDatabase));
}

/** How many bytes D1 keeps of the last month's bookings, and of those before. */
function bytesKept({ perToldBooking, perOldToldBooking }: Sizes, bookings: number): number {
  return bookings * (perToldBooking + (ASSUMED.monthsKept - 1) * perOldToldBooking);
}

/** What the use comes to when the properties are spread evenly over the databases. */
function itemsOf(measured: Measured, bookings: number): Item[] {
  const { sizes } = measured;
  const used = (unit: keyof Used) => unitsOf(measured, bookings, unit);
  const kept = bookings * ASSUMED.monthsKept;
  const objectRequests = used('objectRequests');
  const fileBytes = kept * ASSUMED.exportedShare * sizes.perExportedRow;
  const parts = Math.ceil(fileBytes / PART_BYTES);
  return [
    item('Workers requests', used('requests') + SWEEPS, 10 * MILLION, 0.3 / MILLION),
    item(
      'Workers ms of CPU',
      used('requests') * ASSUMED.cpuMsPerRequest,
      30 * MILLION,
      0.02 / MILLION,
    ),
    item(
      'D1 rows read',
      used('rowsRead') + readBeside(measured, bookings),
      25_000 * MILLION,
      0.001 / MILLION,
    ),
    item('D1 rows written', used('rowsWritten'), 50 * MILLION, 1 / MILLION),
    item('D1 GB kept', bytesKept(sizes, bookings) / GB, 5, 0.75),
    item('Objects requests', objectRequests, MILLION, 0.15 / MILLION),
    item(
      'Objects GB-seconds',
      objectRequests * ASSUMED.secondsPerObjectRequest * OBJECT_GB,
      400_000,
      12.5 / MILLION,
    ),
    item('Objects rows written', used('objectRows'), 50 * MILLION, 1 / MILLION),
    item('Objects GB kept', (bookings * ASSUMED.monthsWithObject * sizes.perObject) / GB, 5, 0.2),
    // Each of the day's two files: its upload's begin, parts and end, and each part read once for the digest.
    item('R2 class A', 2 * DAYS * (parts + 2), MILLION, 4.5 / MILLION),
    item('R2 class B', 2 * DAYS * parts, 10 * MILLION, 0.36 / MILLION),
    item('R2 GB kept', (2 * ASSUMED.exportDaysKept * fileBytes) / GB, 10, 0.015),
  ];
}

/** How many units of something are used in a month by bookings, tokens, movements and sweeps. */
function unitsOf(measured: Measured, bookings: number, unit: keyof Used): number {
  const one = (name: string) => costOf(measured, name)[unit];
  const ofBooking = Object.entries(PER_BOOKING).reduce(
    (sum, [name, times]) => sum + times * one(name),
    0,
  );
  const events = EVENTS_PER_BOOKING * (one(TOLD_EVENT[1]) - one(TOLD_EVENT[0]));
  const compared = one(COMPARED[0]) + (COMPARISONS - 1) * one(COMPARED[1]);
  const movement = one(DISBURSED) / MOVEMENTS_MEASURED + compared / MOVEMENTS_COMPARED;
  return (
    bookings * (ofBooking + events + MOVEMENTS_PER_BOOKING * movement) +
    propertiesFor(bookings) * ASSUMED.tokensPerProperty * one('access token') +
    SWEEPS * databasesFor(measured, bookings) * one(SWEEP)
  );
}

/** Rows read for the properties beside the first of each database, and for the daily files. */
function readBeside(measured: Measured, bookings: number): number {
  const databases = databasesFor(measured, bookings);
  const others = propertiesFor(bookings) / databases - 1;
  const messages = bookings * PER_BOOKING['message to a PMS'];
  const exported = bookings * ASSUMED.monthsKept * ASSUMED.exportedShare;
  const readPerRow = FILES.reduce((sum, name) => sum + costOf(measured, name).rowsRead, 0) / 1_000;
  return (
    SWEEPS * databases * measured.sweepRowsPerProperty * others +
    messages * measured.messageRowsPerProperty * others +
    DAYS * exported * readPerRow
  );
}

function propertiesFor(bookings: number): number {
  return Math.max(1, bookings / ASSUMED.bookingsPerProperty);
}

function costOf({ costs }: Measured, name: string): Used {
  const cost = costs.get(name);
  if (!cost) throw new Error(`nobody measured: ${name}`);
  return cost;
}

function item(name: string, amount: number, included: number, price: number): Item {
  return { name, amount, included, price };
}

function dollars({ amount, included, price }: Item): number {
  return Math.max(0, amount - included) * price;
}

function totalOf(items: readonly Item[]): number {
  return items.reduce((sum, one) => sum + dollars(one), 0);
}

/** A count with three digits that count: `1.25 M`. */
function count(amount: number): string {
  const [scale, unit] = UNITS.find(([least]) => amount >= least) ?? [1, ''];
  return `${Number((amount / scale).toPrecision(3))}${unit}`;
}

const UNITS: readonly (readonly [number, string])[] = [
  [1e9, ' bn'],
  [1e6, ' M'],
  [1e3, ' k'],
];
