/**
 * What an operation answers when D1 or an object fails at one of its crossings: 503 `busy` only where certainly nothing
 * was recorded, 504 `outcome_unknown` wherever something may have been, and never 500.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import { callBooking } from '../../src/booking/stub.ts';
import { EventDispatcher } from '../../src/events/delivery/object.ts';
import { ExportObject } from '../../src/exports/object.ts';
import { refusal } from '../../src/operation/reply.ts';
import { type SpanName, Trace } from '../../src/platform/trace.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { busy } from '../../src/records/bookings/rules.ts';
import {
  type Answer,
  adminToken,
  bookingOf,
  call,
  callAsAdmin,
  engineToken,
  makeBooking,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { GOOD, NEVER_ARRIVES } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { makeExisting, openDispute } from '../support/existing.ts';
import {
  breakSpan,
  type Crossed,
  loseAnswers,
  placesOf,
  spansOf,
  withFault,
} from '../support/faults.ts';
import { Guest, savedForm, typedCard, visit } from '../support/guest.ts';
import { newestLink } from '../support/mailbox.ts';
import { confirming, PlayedPms } from '../support/pms.ts';
import { giveRooms } from '../support/rooms.ts';
import { type Existing, samples } from '../support/samples.ts';
import { holdNews, story } from '../support/story.ts';

const CREATE = '/payment/v1/create';

const PROPERTY_DATA = {
  RoomTypes: [
    {
      RoomTypeCode: 'DLX',
      RoomTypeName: 'Deluxe',
      RateTypes: [{ RateTypeCode: 'BAR', RateTypeName: 'Best' }],
    },
  ],
};

let existing: Existing;
let pms: PlayedPms;
let made = 0;

beforeAll(async () => {
  vi.spyOn(PmsDispatcher.prototype, 'notify').mockResolvedValue();
  vi.spyOn(EventDispatcher.prototype, 'notify').mockResolvedValue();
  vi.spyOn(EventDispatcher.prototype, 'alarm').mockResolvedValue();
  // What rings beside a request would be counted among its crossings.
  vi.spyOn(BookingObject.prototype, 'alarm').mockResolvedValue();
  vi.spyOn(ExportObject.prototype, 'alarm').mockResolvedValue();
  // News of what was done at the acquirer's desk is recorded when the acquirer tells of it.
  holdNews();
  pms = new PlayedPms('certainty');
  pms.behave = (message) =>
    confirming(message, { EchoData: message.json.EchoData, PropertyData: PROPERTY_DATA });
  existing = await makeExisting();
  await giveRooms();
  await callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    pms: pms.settings,
  });
});

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterAll(async () => {
  pms.leave();
  vi.restoreAllMocks();
  // What still works in the background may load a module, and the process may end with this file.
  await scheduler.wait(200);
});

/** A booking of its own for each request. */
async function booked(cardNumber = GOOD): Promise<string> {
  made += 1;
  const reference = `CERTAIN-${made}`;
  await makeBooking(reference, cardNumber);
  return reference;
}

async function charged(details: Record<string, unknown> = {}, cardNumber = GOOD) {
  const reference = await booked(cardNumber);
  const { json } = await call(CREATE, { reference, amount: 10, ...details });
  return { reference, chargeId: json.transaction.id };
}

async function scheduled() {
  const reference = await booked();
  const time = new Date(Date.now() + 86_400_000).toISOString();
  const { json } = await call('/payment/v1/schedule', { reference, amount: 10, time });
  return { reference, chargeId: json.transaction.id };
}

async function held() {
  const expiryTime = new Date(Date.now() + 86_400_000).toISOString();
  return charged({ preAuth: true, expiryTime });
}

async function disputed() {
  made += 1;
  return { disputeId: await openDispute(`CERTAIN-${made}`) };
}

async function message(): Promise<{ messageId: string }> {
  const reference = await booked();
  const { json } = await callAsAdmin('/admin/v1/outbox/list', { property: 'demo', reference });
  return { messageId: json.messages[0]?.messageId ?? '' };
}

/** An endpoint of its own: one test deletes it, and a property has few. */
async function anEndpoint(): Promise<{ endpointId: string }> {
  const { json: before } = await call('/webhook/v1/list', {});
  for (const { endpointId } of before.endpoints) await call('/webhook/v1/delete', { endpointId });
  const { json } = await call('/webhook/v1/put', { url: 'http://127.0.0.1:8799/events' });
  return { endpointId: json.endpoint.endpointId };
}

/** A booking of its own, with a quote of its cancellation. */
async function quoted() {
  const reference = await booked();
  const body = { reference, reason: 'property' };
  const { json } = await call('/booking/v1/cancellation/quote', body);
  return { reference, cancellationQuoteId: json.cancellation.cancellationQuoteId };
}

/** Bodies of the operations that work on something which they can do only once. */
const bodies: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
  '/booking/v1/cancellation/apply': quoted,
  '/booking/v1/cancellation/get': async () => {
    const body = await quoted();
    await call('/booking/v1/cancellation/apply', body);
    return { reference: body.reference };
  },
  '/admin/v1/privacy/erase': async () => ({ property: 'demo', reference: await booked() }),
  '/payment/v1/request-card-details': async () => {
    const reference = await booked();
    return { reference, email: `${reference}@hotel.com` };
  },
  '/payment/v1/charge-pre-auth': held,
  '/payment/v1/cancel-pre-auth': held,
  '/payment/v1/cancel-schedule': scheduled,
  '/payment/v1/cancel-schedules': async () => ({ reference: (await scheduled()).reference }),
  '/refund/v1/create': async () => ({ ...(await charged()), amount: 1 }),
  '/dispute/v1/submit': disputed,
  '/dispute/v1/accept': disputed,
  '/application/v1/update-status': async () => {
    const stay = { arrival: '2027-02-14', departure: '2027-02-17' };
    const { json } = await call('/application/v1/create', { email: 'guest@hotel.com', ...stay });
    return { applicationNumber: json.application.applicationNumber, status: 'Offered' };
  },
  '/webhook/v1/delete': anEndpoint,
  '/webhook/v1/rotate-secret': anEndpoint,
  '/webhook/v1/test': anEndpoint,
  '/webhook/v1/deliveries': anEndpoint,
  '/webhook/v1/replay': async () => ({
    ...(await anEndpoint()),
    from: new Date(Date.now() - 60_000).toISOString(),
  }),
  '/admin/v1/export-user/create': async () => {
    made += 1;
    return { username: `warehouse-${made}` };
  },
  '/admin/v1/export-user/revoke': async () => {
    made += 1;
    const username = `revoked-${made}`;
    await callAsAdmin('/admin/v1/export-user/create', { username });
    return { username };
  },
  '/admin/v1/operation/resolve': async () => {
    const { chargeId } = await charged({}, NEVER_ARRIVES);
    // It was sent an hour ago.
    await testEnv.DB.prepare(
      'UPDATE transactions SET asked_at_ms = asked_at_ms - 3600000, version = version + 1 WHERE id = ?',
    )
      .bind(chargeId)
      .run();
    return { id: chargeId, outcome: 'Failed', reason: 'the bank says so' };
  },
  // A run that was cut off is leased for a while: each compares another span.
  '/admin/v1/reconciliation/run': async () => {
    made += 1;
    const at = (hours: number) => new Date(Date.UTC(2026, 1, 1, hours)).toISOString();
    return { property: 'demo', from: at(made), to: at(made + 1) };
  },
  '/admin/v1/reconciliation/accept': async () => {
    const exceptionId = crypto.randomUUID();
    await testEnv.DB.prepare(
      "INSERT INTO exceptions (id, property_id, gateway, kind, subject, found_at_ms, status, detail) VALUES (?1, 'demo', 'sandbox', 'unknown_payment', ?1, 1, 'open', 'unknown')",
    )
      .bind(exceptionId)
      .run();
    return { exceptionId, reason: 'known to the bank' };
  },
  '/sandbox/v1/clock/advance': async () => ({
    ...(await propertyOfItsOwn()),
    to: new Date(Date.now() + 86_400_000).toISOString(),
  }),
  '/sandbox/v1/clock/get': propertyOfItsOwn,
  '/sandbox/v1/clock/reset': propertyOfItsOwn,
  '/admin/v1/outbox/dismiss': message,
  '/admin/v1/outbox/replay': message,
  '/admin/v1/client/revoke': async () => {
    const body = { property: 'demo', scopes: ['bookings'] };
    return { clientId: (await callAsAdmin('/admin/v1/client/create', body)).json.clientId };
  },
};

/** A property whose clock nobody else looks at. */
async function propertyOfItsOwn() {
  made += 1;
  const property = `timed-${made}`;
  await makeProperty(property);
  return { property };
}

function bodyOf(path: string): Promise<Record<string, unknown>> | Record<string, unknown> {
  return bodies[path]?.() ?? samples[path]?.body(existing) ?? {};
}

async function ask(path: string, body: unknown): Promise<Answer> {
  const admin = samples[path]?.foreign === 'no-property';
  return call(path, body, { token: await (admin ? adminToken() : engineToken()) });
}

/** Round trips to D1 that write nothing, by what they are called. */
function onlyReads(boundary: SpanName): boolean {
  return /\.(?:find|load|read)$/.test(boundary);
}

/** What first asks the booking's object whether there is one: that changes nothing. */
const ASKS_FIRST: readonly string[] = ['/admin/v1/privacy/erase', '/payment/v1/tokenize'];

function isTried({ boundary }: Crossed): boolean {
  return boundary.startsWith('d1.') || boundary === 'object.booking';
}

/** What is wrong with an answer to a request with a fault at the last of these trace. */
function faultsOf(
  { status, json, headers }: Answer,
  crossed: readonly Crossed[],
  { asksFirst, recorded }: { readonly asksFirst: boolean; readonly recorded: boolean },
): string[] {
  const found: string[] = [];
  if (![200, 503, 504].includes(status)) found.push(`${status} ${json.code}`);
  const code = { 503: 'busy', 504: 'outcome_unknown' }[status];
  if (code !== undefined && json.code !== code) found.push(`${status} ${json.code}`);
  if (status === 503 && recorded) found.push('busy, but something was recorded');
  if (status === 503 && headers.get('Retry-After') === null) found.push('busy without Retry-After');
  const last = crossed.at(-1);
  const asked = asksFirst && last?.boundary === 'object.booking' && last.nth === 0;
  const uncertain = !asked && !onlyReads(last?.boundary ?? 'd1.health');
  if (status === 503 && uncertain) found.push('busy, though that was not certain');
  const nothing = crossed.every(
    ({ boundary }) => boundary === 'object.booking' || onlyReads(boundary),
  );
  if (status === 504 && nothing && !uncertain) found.push('unknown, though nothing was recorded');
  return found;
}

/** A property moves only where there are several databases: homes.test.ts. */
const MOVES: readonly string[] = ['/admin/v1/property/move', '/admin/v1/property/move-status'];

const tried = Object.keys(samples).filter((path) => !MOVES.includes(path));

describe.each(tried)('%s', (path) => {
  // A mail that goes out meanwhile changes its request for a card, as if a refused request had recorded something.
  story({ silent: ['mails'], keepSpies: true });

  it.each(['fails', 'answer lost'] as const)('tells the truth: %s', async (kind) => {
    const first = await bodyOf(path);
    let clean = 0;
    const crossed = await spansOf(async () => {
      clean = (await ask(path, first)).status;
    });
    expect(clean).toBe(200);
    const wrong: string[] = [];
    for (const place of placesOf(kind, crossed.filter(isTried))) {
      const { index, boundary } = place;
      const body = await bodyOf(path);
      const answers: (Answer | null)[] = [];
      const { rowsWritten } = await used(async () => {
        answers.push(await withFault(place, kind, () => ask(path, body)));
      });
      const [answer] = answers;
      const found = answer
        ? faultsOf(answer, crossed.slice(0, index + 1), {
            asksFirst: ASKS_FIRST.includes(path),
            recorded: rowsWritten > 0,
          })
        : ['no answer'];
      wrong.push(...found.map((what) => `${kind} at ${index} ${boundary}: ${what}`));
    }
    expect(wrong).toEqual([]);
  });
});

describe("a guest's card", () => {
  const typed = () => ({ ...typedCard(GOOD), ...savedForm() });

  async function answering(fault: () => () => void): Promise<number> {
    const guest = await visit(await booked());
    const { path } = guest.page;
    const mend = fault();
    const { status } = await guest.post(`${path}/card`, typed());
    mend();
    return status;
  }

  it.each<[string, number, () => () => void]>([
    ['the visit cannot be read', 503, () => breakSpan('d1.transactions.read')],
    ['its try may be counted', 504, () => loseAnswers('d1.cardEntry.count', 1)],
    ['its booking does not answer', 504, () => breakSpan('object.booking')],
    ['its booking lost the answer', 504, () => loseAnswers('object.booking', 1)],
  ])('tells the truth where %s: %i', async (_where, status, fault) => {
    expect(await answering(fault)).toBe(status);
  });

  it('tells the truth without a booking as well', async () => {
    const to = { email: 'certain@hotel.com' };
    expect((await call('/payment/v1/request-card-details', to)).status).toBe(200);
    const guest = new Guest();
    await guest.open(await newestLink());
    const mend = loseAnswers('d1.card.save', 1);
    const { status, html } = await guest.submit(typedCard(GOOD));
    mend();
    expect(status).toBe(504);
    expect(html).toContain('We could not confirm what happened');
  });
});

describe('a call of a booking', () => {
  const save = () => call('/booking/v1/create/manage-payments', bookingOf('CALLED'));
  const failing = (flags: object) => Object.assign(new Error('injected'), flags);

  /** Has the first calls of the object fail as the platform says, whether or not they were carried out. */
  function cutOff(flags: object, carriedOut: boolean, times = 1): () => void {
    const original = Trace.prototype.span;
    let left = times;
    const spy = vi.spyOn(Trace.prototype, 'span').mockImplementation(async function (
      this: Trace,
      boundary,
      io,
    ) {
      if (boundary !== 'object.booking' || left === 0) return original.call(this, boundary, io);
      left -= 1;
      if (carriedOut) await original.call(this, boundary, io);
      throw failing(flags);
    });
    return () => spy.mockRestore();
  }

  it.each<[string, object, number, string | undefined]>([
    ['that was cut off', { durableObjectReset: true }, 504, 'outcome_unknown'],
    ['whose connection broke', {}, 504, 'outcome_unknown'],
    ['to an object that is overloaded', { overloaded: true }, 503, 'busy'],
    [
      'to an object that was reset under its load',
      { overloaded: true, durableObjectReset: true },
      504,
      'outcome_unknown',
    ],
    ['that broke off', { remote: true }, 504, 'outcome_unknown'],
    ['that can be made again', { retryable: true }, 200, undefined],
  ])('%s', async (_what, flags, status, code) => {
    const mend = cutOff(flags, false);
    const answer = await save();
    mend();
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it('is made again for news, and never for money', async () => {
    await makeBooking('CALLED-2', GOOD);
    const mendPayment = cutOff({ retryable: true }, false);
    const paid = await call('/payment/v1/create', { reference: 'CALLED-2', amount: 10 });
    mendPayment();
    expect([paid.status, paid.json.code]).toEqual([504, 'outcome_unknown']);
    const context = {
      propertyId: 'demo',
      reference: 'CALLED-2',
      requestId: 'news',
      actor: 'gateway',
    };
    const news = { payment: 'ch_none', reference: 'none', account: null };
    const mendNews = cutOff({ retryable: true }, false);
    const from = { env: testEnv, trace: new Trace() };
    const { answer } = await callBooking(from, context, 'refreshFromGateway', news);
    mendNews();
    expect(answer).toMatchObject({ ok: false, error: { code: 'transaction_not_found' } });
  });

  it('is unknown when it may have been carried out, though the object is busy by then', async () => {
    const mend = cutOff({ retryable: true }, true);
    const original = BookingObject.prototype.perform;
    let calls = 0;
    const spy = vi.spyOn(BookingObject.prototype, 'perform').mockImplementation(async function (
      this: BookingObject,
      ...given
    ) {
      const reply = await original.apply(this, given);
      calls += 1;
      return calls === 1 ? reply : { ...reply, answered: refusal(given[1], busy()) };
    });
    const answer = await save();
    spy.mockRestore();
    mend();
    expect([calls, answer.status, answer.json.code]).toEqual([2, 504, 'outcome_unknown']);
  });
});
