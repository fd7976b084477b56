/**
 * The answers, events and messages to a PMS that the OpenAPI document shows are recorded ones: a service's answer to the
 * example of each request, and what it sends. `npm run examples` records them again.
 */
import { expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { endDisbursement } from '../../src/disbursements/advance.ts';
import { upsertDisbursement } from '../../src/disbursements/mirrorStore.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { eventTypes } from '../../src/records/history/rules/eventTypes.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import type { DisbursementRow } from '../../src/schema/disbursementTables.ts';
import type { AnswerBody, EventJson } from '../support/answers.ts';
import {
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  freshDatabase,
  http,
  makeBooking,
  makeProperty,
  parsed,
  testEnv,
} from '../support/api.ts';
import { cancellationOf } from '../support/cancellation.ts';
import { GOOD } from '../support/cards.ts';
import { listedEvents, PlayedEndpoint } from '../support/endpoint.ts';
import { eventually } from '../support/eventually.ts';
import { makeExisting, openDispute } from '../support/existing.ts';
import { selectStripe, tellOf } from '../support/onStripe.ts';
import { confirming, dispatchAlarm, dispatchUntil, PlayedPms } from '../support/pms.ts';
import { compare, exceptionsNow } from '../support/reconciliation.ts';
import { recordedText } from '../support/recorded.ts';
import { giveRooms } from '../support/rooms.ts';
import { type Existing, samples } from '../support/samples.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'mails'] });

/** When everything happens: each request comes a second after the one before. */
const STARTS_AT_MS = Date.parse('2027-02-10T01:00:00Z');

/** Operations that take away what others need: they come last. */
const LAST = [
  '/webhook/v1/deliveries',
  '/payment/v1/cancel-schedules',
  '/webhook/v1/delete',
  '/admin/v1/client/revoke',
  '/admin/v1/export-user/revoke',
  '/sandbox/v1/clock/advance',
  '/sandbox/v1/clock/get',
  '/sandbox/v1/clock/reset',
];

const MOVE = {
  moveId: '01998f00-0000-7000-8000-0000000000aa',
  property: 'example-hotel',
  from: 'DB2',
  to: 'DB',
  status: 'copying',
  rows: 0,
  failure: null,
  startedAt: '2027-02-10T01:00:00Z',
  endedAt: null,
};

/** What one database cannot show: a property moves where there are several. */
const OF_MANY_DATABASES: Readonly<Record<string, object>> = {
  '/admin/v1/database/list': {
    success: true,
    databases: [{ name: 'DB', properties: 2, bytes: 1_048_576, fullPercent: 0 }],
    nextCursor: null,
  },
  '/admin/v1/property/move': { success: true, move: MOVE },
  '/admin/v1/property/move-status': {
    success: true,
    move: { ...MOVE, status: 'moved', rows: 1_204, endedAt: '2027-02-10T01:00:04Z' },
  },
};

const answers: Record<string, unknown> = { ...OF_MANY_DATABASES };
const refused: string[] = [];

function secondLater(): void {
  vi.setSystemTime(Date.now() + 1_000);
}

async function record(path: string, body: unknown): Promise<AnswerBody> {
  secondLater();
  const isAdmins = /^\/(?:admin|sandbox)\//.test(path);
  const { status, json } = await (isAdmins ? callAsAdmin(path, body) : call(path, body));
  if (status === 200) answers[path] = json;
  else refused.push(`${path} ${JSON.stringify(json)}`);
  return json;
}

/** What the examples do not name as it is here. */
async function membersOf(
  path: string,
  { chargeId, property, reference }: Existing,
  unknownId: number,
): Promise<object> {
  switch (path) {
    case '/admin/v1/outbox/dismiss': {
      const { json } = await callAsAdmin('/admin/v1/outbox/list', { property });
      const [message] = (json as unknown as { messages: { messageId: string }[] }).messages;
      return { messageId: message?.messageId };
    }
    case '/admin/v1/client/put':
    case '/admin/v1/client/revoke':
      return { clientId: (answers['/admin/v1/client/create'] as AnswerBody).clientId };
    case '/admin/v1/reconciliation/accept': {
      const [exception] = await exceptionsNow({ property });
      return { exceptionId: exception?.exceptionId };
    }
    case '/admin/v1/reconciliation/run':
      return { from: daysAway(-1), to: daysAway(1) };
    case '/admin/v1/operation/resolve':
      return { id: unknownId };
    case '/card/v1/health':
      return { reference: 'EXPIRING-1', to: daysAway(100) };
    case '/booking/v1/cancellation/apply':
      return { ...CANCELLED, cancellationQuoteId: await quoteOfCancellation() };
    case '/booking/v1/cancellation/get':
    // The other booking has something open.
    case '/admin/v1/privacy/erase':
      return CANCELLED;
    case '/payment/v1/charge-pre-auth':
    case '/payment/v1/cancel-pre-auth': {
      const hold = { reference, amount: 150, preAuth: true, expiryTime: daysAway(1) };
      return { chargeId: (await call('/payment/v1/create', hold)).json.transaction.id };
    }
    case '/webhook/v1/put':
      return { url: undefined };
    case '/admin/v1/mail/list':
    case '/disbursement/v1/get-all':
    case '/webhook/v1/deliveries':
      return { status: undefined };
    case '/sandbox/v1/act':
      return { action: 'winDispute' };
    case '/dispute/v1/list':
      await callAsAdmin('/sandbox/v1/act', { action: 'dispute', property, reference, chargeId });
      await sandboxAcquirer(testEnv).deliverNow();
      return {};
    case '/dispute/v1/accept':
      return { disputeId: await openDispute('ACCEPTED-1') };
    default:
      return {};
  }
}

const CANCELLED = { reference: 'CANCELLED-1' };

/** The quote of the cancellation of a booking that has paid and has a hold. */
async function quoteOfCancellation(): Promise<string> {
  await makeBooking(CANCELLED.reference, GOOD);
  await call('/payment/v1/create', { ...CANCELLED, amount: 150 });
  const hold = { ...CANCELLED, amount: 80, preAuth: true, expiryTime: daysAway(1) };
  await call('/payment/v1/create', hold);
  const keep = { amount: 100, why: 'Agreed by phone' };
  const { cancellationQuoteId } = await cancellationOf(CANCELLED.reference, { keep });
  return cancellationQuoteId;
}

function daysAway(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

/** A charge of another property whose outcome nobody knows. */
async function unknownCharge(): Promise<number> {
  const token = await makeProperty('unknown-hotel');
  await makeBooking('UNKNOWN-1', '4000000000009102', { token });
  const body = { reference: 'UNKNOWN-1', amount: 10 };
  return (await call('/payment/v1/create', body, { token })).json.transaction.id;
}

/** A schedule whose card will have expired by its time, and a payment that the service did not make. */
async function makeTroubles({ property }: Existing): Promise<void> {
  await makeBooking('EXPIRING-1');
  const card = { reference: 'EXPIRING-1', cardNumber: GOOD, cardExpiry: '02/2027' };
  await call('/payment/v1/tokenize', card);
  await call('/payment/v1/schedule', { reference: 'EXPIRING-1', amount: 10, time: daysAway(90) });
  await makeBooking('VIRTUAL-1');
  const virtualCard = {
    activeFrom: daysAway(-1),
    activeUntil: daysAway(30),
    limit: 480,
    channel: 'Agency',
  };
  const agencys = { reference: 'VIRTUAL-1', cardNumber: GOOD, cardExpiry: '12/2030', virtualCard };
  await call('/payment/v1/tokenize', agencys);
  const act = { action: 'charge', property, reference: 'EXPIRING-1', amount: 42, notify: false };
  await callAsAdmin('/sandbox/v1/act', act);
  await compare(property);
}

/** The messages to a PMS that came of what was recorded, with a PMS's replies. */
function messagesTo(pms: PlayedPms): Record<string, unknown> {
  const shown = new Map<string, unknown>();
  for (const { json } of pms.delivered) {
    const { EchoData, MessageID, MessageType, TimeStamp } = json;
    const own = { ...REPLIES[MessageType], ...(EchoData && { EchoData }) };
    const reply = { MessageID, TimeStamp, Status: 'Success', ...own };
    if (!shown.has(MessageType)) shown.set(MessageType, { message: json, reply });
  }
  return Object.fromEntries(shown);
}

const PROPERTY_DATA = {
  PropertyName: 'Example Hotel',
  RoomTypes: [
    {
      RoomTypeCode: 'DLX',
      RoomTypeName: 'Deluxe Room',
      RateTypes: [{ RateTypeCode: 'BAR', RateTypeName: 'Best Available' }],
    },
  ],
};

/** A PMS's own members of its replies. */
const REPLIES: Readonly<Record<string, object>> = {
  PushBooking: { PMSConfirmationNumber: 'PMS-1006' },
  PushModification: { PMSConfirmationNumber: 'PMS-1006' },
  GetPropertyInfo: { PropertyData: PROPERTY_DATA },
};

it('every operation answers, and every message and event is, as the document shows it', async () => {
  const unknownId = await atTime(STARTS_AT_MS - 2 * HOUR_MS, async () => {
    await freshDatabase();
    answers['/health'] = (await parsed(await http('/health'))).json;
    return unknownCharge();
  });
  const pms = await atTime(STARTS_AT_MS, () => recordAnswers(unknownId));
  const endedAtMs = STARTS_AT_MS + HOUR_MS;
  await eventually(async () => expect(await dispatchAlarm(pms.url)).not.toBeNull());
  await dispatchUntil(pms.url, endedAtMs, endedAtMs + HOUR_MS);
  const messages = messagesTo(pms);
  pms.leave();
  const events = await atTime(endedAtMs, happenings);
  await atTime(endedAtMs, recordOthers);
  const names = new Map([
    ['EXISTING-1', 'EXAMPLE-1001'],
    ['"demo"', '"example-hotel"'],
  ]);
  const text = recordedText(
    { answers: sorted(answers), events, messages: sorted(messages) },
    names,
  );
  await expect(text).toMatchFileSnapshot('../../examples/recorded.json');
});

/** Records the answers to all examples. Returns the PMS, which waits for its messages. */
async function recordAnswers(unknownId: number): Promise<PlayedPms> {
  const existing = await makeExisting();
  const recordAll = async (paths: readonly string[]) => {
    for (const path of paths) {
      const sample = samples[path]?.body(existing);
      await record(path, { ...sample, ...(await membersOf(path, existing, unknownId)) });
    }
  };
  const first = Object.keys(samples).filter(
    (path) => !LAST.includes(path) && !(path in OF_MANY_DATABASES),
  );
  const isWebhook = (path: string) => path.startsWith('/webhook/');
  const endpoint = new PlayedEndpoint('example-hotel');
  await call('/webhook/v1/put', { endpointId: existing.endpointId, url: endpoint.url });
  await recordAll(first.filter(isWebhook));
  endpoint.leave();
  const pms = new PlayedPms('example-hotel');
  pms.behave = (message) => {
    const { EchoData, MessageType } = message.json;
    return confirming(message, { ...REPLIES[MessageType], ...(EchoData && { EchoData }) });
  };
  await callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Example Hotel',
    site: 'example-hotel.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    pms: pms.settings,
    guestMails: { receipts: true },
    contact: { email: 'desk@example-hotel.com' },
  });
  await giveRooms();
  await makeTroubles(existing);
  await recordAll([...first.filter((path) => !isWebhook(path)), ...LAST]);
  expect(refused).toEqual([]);
  const cancelled = bookingOf(existing.reference, { status: 'cancelled' });
  await call('/booking/v1/create/manage-payments', cancelled);
  return pms;
}

function sorted(examples: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(examples).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The answers of what takes no access token. */
async function recordOthers(): Promise<void> {
  const token = await http('/auth/v1/token', {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('demo-engine:demo-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'bookings payments' }),
  });
  answers['/auth/v1/token'] = (await parsed(token)).json;
  answers['/export/schema'] = (await parsed(await http('/export/schema?propertySystem=1'))).json;
  selectStripe();
  const [, known] = await tellOf('payment_intent.created', { object: 'payment_intent' });
  answers['/gateway/v1/stripe'] = { success: true, known };
  vi.restoreAllMocks();
}

/** What happens at a property of its own: the first event of each type. */
async function happenings(): Promise<Record<string, object>> {
  const property = 'example-hotel-2';
  const asking = { askDaysBefore: 14, deadlineHours: 24, shortDeadlineHours: 12, maxAsks: 3 };
  const cardRecovery = Object.fromEntries([...Object.entries(asking), ['then', 'flag']]);
  const token = await makeProperty(property, { cardRecovery });
  const clock = { ms: Date.now() };
  const inHours = (hours: number) => new Date(clock.ms + hours * HOUR_MS).toISOString();
  const post = async (path: string, body: object) => (await call(path, body, { token })).json;
  const act = async (action: string, members: object) => {
    await callAsAdmin('/sandbox/v1/act', { action, property, ...members });
    await sandboxAcquirer(testEnv).deliverNow();
  };
  const advance = async (hours: number) => {
    clock.ms += hours * HOUR_MS;
    await callAsAdmin('/sandbox/v1/clock/advance', { property, to: inHours(0) });
  };
  const booked = async (reference: string, cardNumber: string) => {
    await post('/booking/v1/create/manage-payments', bookingOf(reference));
    await post('/payment/v1/tokenize', { reference, cardNumber, cardExpiry: '12/2030' });
    return { reference };
  };
  const charge = async (of: object, amount = 100) =>
    (await post('/payment/v1/create', { ...of, amount, transactionType: 'Deposit' })).transaction;
  const hold = async (of: object) => {
    const body = { ...of, amount: 100, preAuth: true, expiryTime: inHours(48) };
    return { ...of, chargeId: (await post('/payment/v1/create', body)).transaction.id };
  };
  const schedule = async (of: object) => {
    const body = { ...of, amount: 100, time: inHours(1) };
    return { ...of, chargeId: (await post('/payment/v1/schedule', body)).transaction.id };
  };

  const settle = async (reference: string, cardNumber: string) => {
    await booked(reference, cardNumber);
    const keep = { amount: 100, why: 'Agreed by phone' };
    const { cancellationQuoteId } = await cancellationOf(reference, { keep }, { token });
    await post('/booking/v1/cancellation/apply', { reference, cancellationQuoteId });
  };

  const good = await booked('RES-1001', GOOD);
  await post('/application/v1/create', {
    ...good,
    email: 'guest@hotel.com',
    arrival: '2027-02-14',
    departure: '2027-06-14',
  });
  const { id: chargeId } = await charge(good);
  await post('/refund/v1/create', { ...good, chargeId, amount: 40 });
  await post('/payment/v1/charge-pre-auth', await hold(good));
  await post('/payment/v1/cancel-pre-auth', await hold(good));
  await act('capture', await hold(good));
  await post('/payment/v1/cancel-schedule', await schedule(good));
  await act('dispute', { ...good, chargeId, amount: 10 });
  await act('winDispute', { ...good, chargeId });
  await act('dispute', { ...good, chargeId, amount: 10 });
  await act('loseDispute', { ...good, chargeId });
  await act('dispute', { ...good, chargeId, amount: 10 });
  await charge(good, 900);
  await act('renewCard', { ...good, cardExpiry: '12/2032' });
  await charge(await booked('RES-1002', '4000000000009987'));
  await charge(await booked('RES-1003', '4000000000000119'));
  const failing = await booked('RES-1004', '4000000000005126');
  await post('/refund/v1/create', { ...failing, chargeId: (await charge(failing)).id, amount: 40 });
  await charge(await booked('RES-1005', '4000000000009003'));
  await schedule(await booked('RES-1006', '4000000000009300'));
  await schedule(await booked('RES-1007', '4000000000009987'));
  await hold(good);
  const planned = await booked('RES-1020', GOOD);
  const inTwoParts = [
    { amount: 180, due: { anchor: 'now' } },
    { rest: true, due: { anchor: 'arrival', days: -1 } },
  ];
  await post('/payment-plan/v1/put', { ...planned, terms: inTwoParts });
  const dearer = bookingOf('RES-1020', { totalCost: 700 });
  await post('/booking/v1/create/manage-payments', dearer);
  const unplanned = await booked('RES-1021', GOOD);
  await post('/payment-plan/v1/put', { ...unplanned, terms: inTwoParts });
  await post('/payment-plan/v1/cancel', unplanned);
  const expiring = await booked('RES-1008', GOOD);
  const cardExpiry = `${inHours(0).slice(5, 7)}/${inHours(0).slice(0, 4)}`;
  await post('/payment/v1/tokenize', { ...expiring, cardNumber: GOOD, cardExpiry });
  await post('/payment/v1/schedule', { ...expiring, amount: 10, time: inHours(40 * 24) });
  await post('/booking/v1/create/manage-payments', bookingOf('RES-1010'));
  const virtualCard = { activeFrom: inHours(24), activeUntil: inHours(120), limit: 480 };
  const agencys = { reference: 'RES-1010', cardNumber: GOOD, cardExpiry: '12/2030', virtualCard };
  await post('/payment/v1/tokenize', agencys);
  await post('/booking/v1/create/manage-payments', bookingOf('RES-1009', { status: 'booked' }));
  await post('/booking/v1/create/manage-payments', bookingOf('RES-1009', { status: 'cancelled' }));
  await settle('RES-1010', GOOD);
  await settle('RES-1011', '4000000000009987');
  await advance(7 * 24);
  await advance(33 * 24);
  await failPayout(property);
  const shown = new Map<string, EventJson>();
  for (const event of await listedEvents(token)) {
    if (!shown.has(event.type)) shown.set(event.type, event);
  }
  expect(eventTypes.filter((type) => !shown.has(type))).toEqual([]);
  return Object.fromEntries(
    eventTypes.flatMap((type) => {
      const event = shown.get(type);
      if (!event) return [];
      const { eventId: _header, ...body } = event;
      return [[type, body]];
    }),
  );
}

/** A payout that the bank sends back, which the sandbox has none of. */
async function failPayout(propertyId: string): Promise<void> {
  const database = new Database(testEnv.DB, new Trace());
  const payout: DisbursementRow = {
    propertyId,
    id: 'po_1',
    currency: 'AUD',
    description: 'Payout',
    grossMinor: 15_000,
    feeMinor: 0,
    netMinor: 15_000,
    postedNetMinor: 0,
    postedFeeMinor: 0,
    itemCount: 0,
    effectiveAtMs: Date.now(),
    arrivalDate: '2027-03-24',
    dueAtMs: null,
    paysAtMs: null,
    gateway: 'stripe',
    status: 'in_transit',
  };
  await database.batch('d1.disbursement.save', [upsertDisbursement(payout)]);
  await endDisbursement(database, { ...payout, status: 'failed' }, Date.now());
}
