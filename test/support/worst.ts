/**
 * The worst forms that fit into a request: texts that make matching, searching, comparing or counting long where it is not
 * bounded, days at the ends of time, lists as long as a body. The tests bound the work that they take; `npm run bench:worst`
 * measures how long they take.
 */
import { bodyWith, type Document, listsOf, type TextField, textFieldsOf } from './bodyFields.ts';
import { undocumented } from './protection.ts';
import { type Existing, formOf, samples } from './samples.ts';

/** Texts that make matching, searching, comparing or counting long where it is not bounded. */
const WORST = [
  `${'*'.repeat(40)}payment${'*'.repeat(10)}`,
  '*'.repeat(51),
  `${'*.'.repeat(25)}x`,
  '*********x',
  `${'%_'.repeat(31)}x`,
  `${'[^'.repeat(30)}x`,
  '9999-12-31',
  '31-12-9999',
  '0001-01-01',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00+14:00',
  '+275760-09-13',
  '(a+)+$',
  `${'a'.repeat(60)}!`,
  `${'a'.repeat(50_000)}!`,
  `${' '.repeat(50_000)}x`,
  `${'4 '.repeat(25_000)}x`,
  '4242-'.repeat(10_000),
  '1'.repeat(50_000),
  `${'a@'.repeat(20_000)}b.com`,
  `${'.'.repeat(50_000)}com`,
  `https://${'a.'.repeat(20_000)}com`,
  `https:${'/'.repeat(50_000)}`,
  `en${'-x'.repeat(20_000)}`,
  '='.repeat(50_000),
  '\u{1d7d8}'.repeat(20_000),
] as const;

/** The ends of what can be written as a day or a time, in either order of its parts. */
const DATES = [
  '0001-01-01',
  '9999-12-31',
  '01-01-0001',
  '31-12-9999',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59Z',
] as const;

/** Fields of days and times, by their names. */
const DATED =
  /(?:from|to|since|asof|at|on|time|date|day|until|arrival|departure|checkin|checkout)$/i;

/** More of an operation's text than a body may have. */
const MOST_OF_A_BODY = 60_000;

/** What lists hold, short so that many fit: what they should hold is among the texts, objects and numbers. */
const ITEMS: readonly unknown[] = ['*', '%', '9999-12-31', 1, {}, []];

/** A body that one operation gets. */
export interface WorstRequest {
  readonly name: string;
  readonly path: string;
  readonly body: (existing: Existing) => object;
}

function sent(field: TextField, name: string, value: unknown): WorstRequest {
  const { at, path } = field;
  return {
    name: `${path} ${at.join('.')} ${name}`,
    path,
    body: (existing) => bodyWith(field, value, existing),
  };
}

/** Every day and time of every operation, at either end. */
export function worstDates(document: Document): WorstRequest[] {
  return textFieldsOf(document)
    .filter(({ at }) => DATED.test(at.filter((name) => name !== 0).at(-1) ?? ''))
    .flatMap((field) => DATES.map((value) => sent(field, value, value)));
}

/** Every list of every operation, as long as a body. */
export function worstLists(document: Document): WorstRequest[] {
  return listsOf(document).flatMap((field) =>
    ITEMS.map((item) => {
      const text = JSON.stringify(item);
      const value = Array(Math.floor(MOST_OF_A_BODY / (text.length + 1))).fill(item);
      return sent(field, `of ${text}`, value);
    }),
  );
}

/** Every text of every operation, with some of the worst texts. */
export function worstTexts(document: Document): WorstRequest[] {
  return textFieldsOf(document).flatMap((field, index) =>
    [0, 9, 17].map((step) => {
      const which = (index + step) % WORST.length;
      return sent(field, `text ${which}`, WORST[which] ?? '');
    }),
  );
}

const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59Z';
const PMS = { Authentication: { UserName: 'pms-user', Password: 'pms-pass' }, MessageID: 'm' };
const ALWAYS = { StartDate: '0001-01-01', EndDate: '9999-12-31' };
const LAST_DAY = { StartDate: '9999-12-31', EndDate: '9999-12-31' };

/** Spans and lists that belong together. */
const SPANS: readonly (readonly [path: string, change: Record<string, unknown>])[] = [
  ['/payment/v1/list', { from: FIRST, to: LAST, changedSince: FIRST }],
  ['/booking/v1/list', { arrivalFrom: '0001-01-01', arrivalTo: '9999-12-31' }],
  ['/application/v1/list', { arrivalFrom: '0001-01-01', arrivalTo: '9999-12-31' }],
  ['/dispute/v1/list', { from: FIRST, to: LAST }],
  ['/disbursement/v1/get-all', { from: '0001-01-01', to: '9999-12-31' }],
  ['/disbursement/v1/get-all', { from: '9999-12-31', to: '9999-12-31' }],
  ['/card/v1/health', { from: FIRST, to: LAST }],
  ['/card/v1/virtual/list', { state: 'refundable', from: FIRST, to: LAST }],
  ['/event/v1/list', { types: Array(50).fill('*') }],
  ['/event/v1/list', { types: Array(50).fill(`${'*'.repeat(63)}x`) }],
  ['/event/v1/list', { types: Array(20_000).fill('*') }],
  ['/webhook/v1/put', { types: Array(50).fill('*********x') }],
  ['/webhook/v1/replay', { from: FIRST }],
  ['/admin/v1/reconciliation/run', { from: FIRST, to: LAST }],
  ['/sandbox/v1/clock/advance', { to: LAST }],
  ['/payment/v1/schedule', { time: LAST }],
  ['/payment/v1/balance', { asOf: FIRST }],
  ['/rooms/v1/get-inventory', { checkIn: '0001-01-01', checkOut: '9999-12-31' }],
  ['/rooms/v1/get-inventory', { checkIn: '9999-12-31', checkOut: '9999-12-31' }],
  [
    '/rooms/v1/push',
    { ...PMS, InventoryData: [{ RoomTypeCode: 'DLX', ...ALWAYS, Availability: 1 }] },
  ],
  [
    '/rooms/v1/push',
    { ...PMS, InventoryData: [{ RoomTypeCode: 'DLX', ...LAST_DAY, Availability: 1 }] },
  ],
  ['/booking/v1/create/manage-payments', { arrival: '01-01-0001', departure: '31-12-9999' }],
  ['/booking/v1/create/manage-payments', { arrival: '30-12-9999', departure: '31-12-9999' }],
  [
    '/booking/v1/create/manage-payments',
    {
      roomStays: [
        {
          roomTypeCode: 'DLX',
          rateTypeCode: 'BAR',
          startDate: '0001-01-01',
          endDate: '9999-12-31',
          adults: 1,
          children: 0,
          amount: 1,
        },
      ],
    },
  ],
  [
    '/application/v1/create',
    { arrival: '0001-01-01', departure: '9999-12-31', dateOfBirth: '0001-01-01' },
  ],
];

export const worstSpans: readonly WorstRequest[] = SPANS.map(([path, change]) => ({
  name: `${path} ${JSON.stringify(change).slice(0, 80)}`,
  path,
  body: (existing) => ({ ...samples[path]?.body(existing), ...change }),
}));

const LAST_DAYS = 'from=9999-12-31&to=9999-12-31';
/** Pages of the console with the worst that their addresses can say. */
export const worstConsolePages: readonly string[] = [
  `report?${LAST_DAYS}`,
  `report?${LAST_DAYS}&format=csv`,
  `report?${LAST_DAYS}&format=csv&table=reasons`,
  'report?from=0001-01-01&to=9999-12-31',
  'report?from=9999-12-30&to=9999-12-31',
  'report?from=9999-12-31',
  'report?to=%2B010000-01-01',
  'bank-line?amount=1&day=9999-12-31&days=14',
  'bank-line?amount=1&day=0001-01-01&days=1e9',
  `bank-line?amount=${'1,'.repeat(4_000)}&day=2026-11-23`,
  ...['failed', 'coming', 'disputes', 'differences', 'disbursements'].flatMap((list) => [
    `${list}?after=${'9'.repeat(4_000)}`,
    `${list}?after=W10&format=csv`,
  ]),
  `booking?reference=EXISTING-1&before=999999999999999-9999&format=csv`,
  ...['%', '_', '*', '%_'.repeat(1_000), 'a '.repeat(1_500), '4 '.repeat(1_500), '\u{10ffff}'].map(
    (text) => `property?q=${encodeURIComponent(text)}`,
  ),
];

/** A form, or the fields of a page's address, that one route gets. */
export interface WorstForm {
  readonly name: string;
  /** `POST /console/do`. */
  readonly route: string;
  readonly form: (existing: Existing) => Record<string, string>;
}

/** Pages and forms. Of documents and styles nothing is read, and who signs out sends nothing. */
const READING = Object.keys(undocumented).filter(
  (route) => !/\.\w+$|docs|:file|:colour|sign-out/.test(route),
);

/** What pages read of their address, beside the fields of forms. */
const QUERIED = ['q', 'from', 'to', 'day', 'days', 'after', 'before', 'reference', 'kind', 'email'];

/** Routes that read what people type, with the rest of their form. */
const TYPED: readonly (readonly [route: string, typed: readonly string[], rest: object])[] = [
  ...['GET /console/confirm', 'POST /console/do'].flatMap((route) =>
    [
      { do: 'schedule', purpose: 'Balance', time: '2027-01-01T10:00', description: 'Minibar' },
      { do: 'resolve', outcome: 'Accepted', gatewayReference: 'pi_1', reason: 'By phone' },
    ].map(
      (rest) =>
        [
          route,
          ['amount', 'time', 'description', 'gatewayReference', 'reason', 'key', 'quoteId'],
          { property: 'demo', reference: 'EXISTING-1', ...rest },
        ] as const,
    ),
  ),
  ...['review', 'price', 'pay'].map(
    (page) =>
      [
        `${page === 'pay' ? 'POST' : 'GET'} /guest/v1/payments/:visit/${page}`,
        ['amount', 'cardNumber', 'cardExpiry', 'cardHolderName', 'replaces', 'lowers', 'attempt'],
        { choice: 'other', card: 'new', agreed: 'payment-2 en' },
      ] as const,
  ),
  ['POST /console/sign-in', ['email'], {}],
  ['GET /console/property', ['q'], { property: 'demo' }],
];

const NAMES = [...new Set([...Object.keys(formOf({ cardToken: '', chargeId: 0 })), ...QUERIED])];

function typed(route: string, name: string, which: number, rest: object): WorstForm {
  return {
    name: `${route} ${name} text ${which}`,
    route,
    form: (existing) => ({ ...formOf(existing), ...rest, [name]: WORST[which] ?? '' }),
  };
}

/** Every page and form with one of the worst texts in each of its fields, and with all of them in what people type. */
export const worstForms: readonly WorstForm[] = [
  ...READING.flatMap((route) =>
    NAMES.map((name, index) => typed(route, name, index % WORST.length, {})),
  ),
  ...TYPED.flatMap(([route, names, rest]) =>
    names.flatMap((name) => WORST.map((_, which) => typed(route, name, which, rest))),
  ),
];

/** As much of a text as an address has room for. */
const MOST_OF_A_QUERY = 4_000;

/** Where a form is sent, `visit` being its visit's id: an address has only the beginning of each field. */
export function addressOf(
  { route }: WorstForm,
  form: Readonly<Record<string, string>>,
  { chargeId }: Existing,
  visit: string,
): { readonly method: string; readonly address: string } {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(':visit', visit).replace(/:\w+|\*/, String(chargeId));
  const short = Object.entries(form).map(([name, text]) => [name, text.slice(0, MOST_OF_A_QUERY)]);
  const query = new URLSearchParams(short).toString();
  return { method, address: method === 'POST' ? path : `${path}?${query}` };
}
