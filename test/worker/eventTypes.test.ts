/** Each type of event, exactly once for its change, and nothing of people or cards in it. */
import { type Schema, Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { endDisbursement } from '../../src/disbursements/advance.ts';
import { upsertDisbursement } from '../../src/disbursements/mirrorStore.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { eventTypes } from '../../src/records/history/rules/eventTypes.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import type { DisbursementRow } from '../../src/schema/disbursementTables.ts';
import type { EventJson } from '../support/answers.ts';
import { bookingOf, call, callAsAdmin, http, makeProperty, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { closed } from '../support/closedSchema.ts';
import { listedEvents } from '../support/endpoint.ts';
import { eventually } from '../support/eventually.ts';
import { EVENTS } from '../support/history.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

/** What no event may hold: of the guest, the cardholder, the applicant and the agent. */
const PERSONAL = {
  lastName: 'Lastmarker',
  firstName: 'Firstmarker',
  email: 'emailmarker@hotel.com',
  phone: '+61 8 7777 7777',
  holder: 'HOLDER MARKER',
  expiry: '11/2039',
  agent: 'Agentmarker',
  agentEmail: 'agentmarker@hotel.com',
};

const seen = new Set<string>();
const events: EventJson[] = [];
let made = 0;

// Alarms ring only as the clock of the property is advanced.

/** A property of its own, with one booking. */
async function hotel() {
  made += 1;
  const property = `types-${made}`;
  const token = await makeProperty(property);
  const reference = 'T-1';
  const post = async (path: string, body: object = {}) =>
    (await call(path, { reference, ...body }, { token })).json;
  const { lastName, firstName, email, phone } = PERSONAL;
  const save = (details: object = {}) =>
    post('/booking/v1/create/manage-payments', {
      ...bookingOf(reference, { lastName, firstName, email, phone, ...details }),
    });
  const clock = { ms: Date.now() };
  return {
    property,
    token,
    post,
    save,
    card: (cardNumber: string, more: object = {}) =>
      post('/payment/v1/tokenize', {
        ...more,
        cardNumber,
        cardExpiry: PERSONAL.expiry,
        cardHolderName: PERSONAL.holder,
      }),
    charge: async (amount = 100, more: object = {}) =>
      (await post('/payment/v1/create', { amount, ...more })).transaction,
    schedule: async (more: object = {}) => {
      const time = new Date(clock.ms + HOUR_MS).toISOString();
      return (await post('/payment/v1/schedule', { amount: 100, time, ...more })).transaction;
    },
    cancel: async (amount: number) => {
      const asked = { reason: 'guest', keep: { amount, why: 'agreed' } };
      const { cancellation } = await post('/booking/v1/cancellation/quote', asked);
      const { cancellationQuoteId } = cancellation;
      await post('/booking/v1/cancellation/apply', { cancellationQuoteId });
    },
    hold: async () => {
      const expiryTime = new Date(clock.ms + 2 * DAY_MS).toISOString();
      const body = { amount: 100, preAuth: true, expiryTime };
      return (await post('/payment/v1/create', body)).transaction.id;
    },
    act: async (action: string, members: object = {}) => {
      const { json } = await callAsAdmin('/sandbox/v1/act', {
        action,
        property,
        reference,
        ...members,
      });
      expect(json.success).toBe(true);
      await sandboxAcquirer(testEnv).deliverNow();
    },
    advance: async (byMs: number) => {
      clock.ms += byMs;
      const to = new Date(clock.ms).toISOString();
      const { json } = await callAsAdmin('/sandbox/v1/clock/advance', { property, to });
      expect(json.success).toBe(true);
    },
  };
}

type Hotel = Awaited<ReturnType<typeof hotel>>;

/** What happens to a booking with a card, by the card, and the events that it makes, in order. */
const stories: [string, string, (at: Hotel) => Promise<unknown>, string[]][] = [
  ['a charge', GOOD, (at) => at.charge(), ['payment.accepted']],
  [
    'a plan',
    GOOD,
    async (at) => {
      await at.post('/payment-plan/v1/put', {
        terms: [
          { amount: 100, due: { anchor: 'now', days: 2 } },
          { rest: true, due: { anchor: 'now', days: 1 } },
        ],
      });
      await at.save({ totalCost: 700 });
      await at.advance(3 * DAY_MS);
    },
    [
      'plan.saved',
      'booking.saved',
      'plan.changed',
      'payment.accepted',
      'payment.accepted',
      'plan.completed',
    ],
  ],
  [
    'a plan that is cancelled',
    GOOD,
    async (at) => {
      await at.post('/payment-plan/v1/put', {
        terms: [{ amount: 100, due: { anchor: 'arrival' } }],
      });
      await at.post('/payment-plan/v1/cancel');
    },
    ['plan.saved', 'plan.cancelled'],
  ],
  ['a decline', '4000000000009987', (at) => at.charge(), ['payment.declined']],
  ['a soft decline at once', '4000000000000002', (at) => at.charge(), ['payment.declined']],
  [
    'a virtual card',
    GOOD,
    async (at) => {
      const nowMs = Date.now();
      await at.card(GOOD, {
        virtualCard: {
          activeFrom: new Date(nowMs + HOUR_MS).toISOString(),
          activeUntil: new Date(nowMs + 5 * DAY_MS).toISOString(),
          limit: 100,
        },
      });
      await at.advance(4 * DAY_MS);
    },
    ['card.attached', 'card.virtual_active', 'card.virtual_lapsing'],
  ],
  ['an error of the gateway', '4000000000000119', (at) => at.charge(), ['payment.failed']],
  [
    'a lost answer',
    '4000000000009003',
    async (at) => {
      await at.charge();
      await at.advance(HOUR_MS);
    },
    ['payment.unknown', 'payment.accepted'],
  ],
  [
    'a schedule',
    GOOD,
    async (at) => {
      await at.schedule();
      await at.advance(DAY_MS);
    },
    ['schedule.created', 'payment.accepted'],
  ],
  [
    'a schedule that is declined each time',
    '4000000000000002',
    async (at) => {
      await at.schedule();
      await at.advance(5 * DAY_MS);
    },
    [
      'schedule.created',
      'schedule.retrying',
      'schedule.retrying',
      'schedule.retrying',
      'payment.declined',
    ],
  ],
  [
    'a schedule that is declined once',
    '4000000000009300',
    async (at) => {
      await at.schedule();
      await at.advance(DAY_MS);
    },
    ['schedule.created', 'schedule.retrying', 'payment.accepted'],
  ],
  [
    'a schedule that the acquirer rejects twice',
    '4000000000009425',
    async (at) => {
      await at.schedule();
      await at.advance(DAY_MS);
    },
    ['schedule.created', 'schedule.retrying', 'schedule.retrying', 'payment.accepted'],
  ],
  [
    'a schedule that is cancelled, twice',
    GOOD,
    async (at) => {
      const { id: chargeId } = await at.schedule();
      await at.post('/payment/v1/cancel-schedule', { chargeId });
      await at.post('/payment/v1/cancel-schedule', { chargeId });
    },
    ['schedule.created', 'schedule.cancelled'],
  ],
  [
    'a schedule with nothing due',
    GOOD,
    async (at) => {
      await at.schedule({ limitToDue: true });
      await at.charge(600);
      await at.advance(DAY_MS);
    },
    ['schedule.created', 'payment.accepted', 'schedule.cancelled'],
  ],
  ['a hold', GOOD, (at) => at.hold(), ['authorization.authorized']],
  [
    'a declined hold',
    '4000000000009987',
    (at) => at.hold().catch(() => undefined),
    ['payment.declined'],
  ],
  [
    'a capture',
    GOOD,
    async (at) => at.post('/payment/v1/charge-pre-auth', { chargeId: await at.hold() }),
    ['authorization.authorized', 'authorization.captured'],
  ],
  [
    'a release',
    GOOD,
    async (at) => at.post('/payment/v1/cancel-pre-auth', { chargeId: await at.hold() }),
    ['authorization.authorized', 'authorization.released'],
  ],
  [
    'an expired hold',
    GOOD,
    async (at) => {
      await at.hold();
      await at.advance(3 * DAY_MS);
    },
    ['authorization.authorized', 'authorization.expired'],
  ],
  [
    'a hold that is captured at the acquirer',
    GOOD,
    async (at) => at.act('capture', { chargeId: await at.hold() }),
    ['authorization.authorized', 'payment.corrected'],
  ],
  [
    'a hold that is let go at the acquirer',
    GOOD,
    async (at) => at.act('release', { chargeId: await at.hold() }),
    ['authorization.authorized', 'payment.corrected'],
  ],
  [
    'a refund',
    GOOD,
    async (at) => {
      const { id: chargeId } = await at.charge();
      await at.post('/refund/v1/create', { amount: 40, chargeId });
    },
    ['payment.accepted', 'refund.refunded'],
  ],
  [
    'a refund that fails',
    '4000000000005126',
    async (at) => {
      const { id: chargeId } = await at.charge();
      await at.post('/refund/v1/create', { amount: 40, chargeId });
    },
    ['payment.accepted', 'refund.failed'],
  ],
  [
    'a refund that fails later',
    GOOD,
    async (at) => {
      const { id: chargeId } = await at.charge();
      const { refunds } = await at.post('/refund/v1/create', { amount: 40, chargeId });
      await at.act('failRefund', { refundId: refunds[0]?.id });
    },
    ['payment.accepted', 'refund.refunded', 'refund.failed'],
  ],
  [
    'a refund that is made at the acquirer',
    GOOD,
    async (at) => {
      const { id: chargeId } = await at.charge();
      await at.act('refund', { chargeId, amount: 30 });
    },
    ['payment.accepted', 'refund.refunded'],
  ],
  ...(['won', 'lost'] as const).map((end): (typeof stories)[number] => [
    `a dispute that is ${end}`,
    GOOD,
    async (at) => {
      const { id: chargeId } = await at.charge();
      await at.act('dispute', { chargeId });
      await at.act(end === 'won' ? 'winDispute' : 'loseDispute', { chargeId });
    },
    ['payment.accepted', 'dispute.opened', `dispute.${end}`],
  ]),
  [
    'a dispute that nobody answers',
    GOOD,
    async (at) => {
      const { id: chargeId } = await at.charge();
      await at.act('dispute', { chargeId });
      await at.advance(8 * DAY_MS);
    },
    ['payment.accepted', 'dispute.opened', 'dispute.due_soon'],
  ],
  [
    'more than the total',
    GOOD,
    async (at) => {
      await at.charge(600);
      await at.charge(10);
      await at.charge(10);
      await at.charge(10, { transactionType: 'Bond' });
    },
    [
      'payment.accepted',
      'payment.accepted',
      'balance.overpaid',
      'payment.accepted',
      'balance.overpaid',
      'payment.accepted',
    ],
  ],
  [
    'a lower total',
    GOOD,
    async (at) => {
      await at.charge(600);
      await at.save({ totalCost: 500 });
      await at.save({ totalCost: 550 });
      await at.save({ totalCost: 0 });
      await at.save({ totalCost: 590 });
    },
    [
      'payment.accepted',
      'booking.saved',
      'balance.overpaid',
      'booking.saved',
      'booking.saved',
      'booking.saved',
      'balance.overpaid',
    ],
  ],
  [
    'money that comes back beyond the total',
    GOOD,
    async (at) => {
      const { id: chargeId } = await at.charge(700);
      await at.act('dispute', { chargeId });
      await at.act('winDispute', { chargeId });
    },
    ['payment.accepted', 'balance.overpaid', 'dispute.opened', 'balance.overpaid', 'dispute.won'],
  ],
  [
    'a booking that is saved again, changed, cancelled and booked again',
    GOOD,
    async (at) => {
      await at.save();
      await at.save({ firstName: 'Firstmarker Two' });
      await at.save({ status: 'cancelled' });
      await at.save({ status: 'cancelled' });
      await at.save();
    },
    ['booking.saved', 'booking.cancelled', 'booking.saved'],
  ],
  [
    'a cancellation that gives back',
    GOOD,
    async (at) => {
      await at.charge();
      await at.cancel(40);
    },
    ['payment.accepted', 'booking.cancelled', 'refund.refunded', 'settlement.settled'],
  ],
  [
    'a cancellation whose charge is declined',
    '4000000000009987',
    (at) => at.cancel(40),
    ['booking.cancelled', 'payment.declined', 'settlement.incomplete'],
  ],
  [
    'a cancelled booking with a schedule and a hold',
    GOOD,
    async (at) => {
      await at.schedule();
      await at.hold();
      await at.save({ status: 'cancelled' });
    },
    [
      'schedule.created',
      'authorization.authorized',
      'booking.cancelled',
      'schedule.cancelled',
      'authorization.released',
    ],
  ],
  [
    'a deposit of an applicant',
    GOOD,
    async (at) => {
      await at.post('/application/v1/create', {
        email: PERSONAL.email,
        arrival: '2027-02-14',
        departure: '2027-06-14',
        agent: {
          name: PERSONAL.agent,
          email: PERSONAL.agentEmail,
          phone: PERSONAL.phone,
          company: 'An Agency',
        },
      });
      await at.charge(100, { transactionType: 'Deposit' });
    },
    ['payment.accepted', 'application.moved'],
  ],
  [
    'an applicant whose deposit is there',
    GOOD,
    async (at) => {
      await at.charge(100, { transactionType: 'Deposit' });
      await at.post('/application/v1/create', {
        email: PERSONAL.email,
        arrival: '2027-02-14',
        departure: '2027-06-14',
      });
    },
    ['payment.accepted', 'application.moved'],
  ],
];

/** The events of the booking, once so many are there: the acquirer's own news may be on its way. */
function toldOf(token: string, number: number) {
  return eventually(async () => {
    const told = await listedEvents(token, { reference: 'T-1' });
    expect(told.length).toBeGreaterThanOrEqual(number);
    return told;
  }, 50);
}

describe('of a booking', () => {
  it.each(stories)('%s makes its events, each once', async (_name, cardNumber, happen, types) => {
    const at = await hotel();
    await at.save();
    await at.card(cardNumber);
    await happen(at);
    const told = await toldOf(at.token, types.length + 2);
    expect(told.map(({ type }) => type)).toEqual(['booking.saved', 'card.attached', ...types]);
    expect(told.map(({ data }) => data.sequence)).toEqual(told.map((_, index) => index + 1));
    const times = told.map(({ timestamp }) => Date.parse(timestamp));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const { type } of told) seen.add(type);
    events.push(...told);
  });
});

describe('of no booking', () => {
  it('are applications without one, and disbursements', async () => {
    const at = await hotel();
    await at.save();
    await at.card(GOOD);
    await at.charge();
    const { application } = await call(
      '/application/v1/create',
      { email: PERSONAL.email, arrival: '2027-02-14', departure: '2027-06-14' },
      { token: at.token },
    ).then(({ json }) => json);
    await at.post('/application/v1/update-status', {
      applicationNumber: application['applicationNumber'],
      status: 'Offered',
    });
    await at.advance(4 * DAY_MS);
    const told = (await listedEvents(at.token)).filter(({ data }) => data.reference === null);
    expect(told.map(({ type, data }) => [type, data.sequence])).toEqual([
      ['application.moved', null],
      ['disbursement.paid_out', null],
    ]);
    const paid = await call('/disbursement/v1/get-all', {}, { token: at.token });
    expect(told[1]?.data).toMatchObject({
      disbursement: (paid.json as unknown as { disbursements: unknown[] }).disbursements[0],
    });
    for (const { type } of told) seen.add(type);
    events.push(...told);
  });

  it('a disbursement that fails is told once', async () => {
    const at = await hotel();
    const database = new Database(testEnv.DB, new Trace());
    const row: DisbursementRow = {
      propertyId: at.property,
      id: 'po_1',
      gateway: 'stripe',
      status: 'in_transit',
      currency: 'AUD',
      grossMinor: 0,
      feeMinor: 0,
      netMinor: 0,
      postedNetMinor: 0,
      postedFeeMinor: 0,
      itemCount: 0,
      description: 'Payout',
      effectiveAtMs: Date.now(),
      arrivalDate: '2027-02-14',
      dueAtMs: null,
      paysAtMs: null,
    };
    await database.batch('d1.disbursement.save', [upsertDisbursement(row)]);
    for (const status of ['failed', 'failed'] as const) {
      await endDisbursement(database, { ...row, status }, Date.now());
    }
    const told = await listedEvents(at.token);
    expect(told.map(({ type }) => type)).toEqual(['disbursement.failed']);
    for (const { type } of told) seen.add(type);
  });
});

describe('all types', () => {
  it('were told, but for those that recovery records', () => {
    const left = eventTypes.filter((type) => !seen.has(type));
    expect(left).toEqual(['card.updated', 'card.expiring', 'recovery.flagged']);
    expect(JSON.stringify(events)).toContain('An Agency');
  });

  it('are as the document has them, with every member and no other', async () => {
    const { webhooks, components } = (await (await http('/openapi.json')).json()) as {
      webhooks: Record<
        string,
        { post: { requestBody: { content: Record<string, { schema: { allOf: Schema[] } }> } } }
      >;
      components: { schemas: Record<string, Schema> };
    };
    for (const { eventId: _own, ...body } of events) {
      const { schema } = webhooks[body.type]?.post.requestBody.content['application/json'] ?? {};
      const [kind = { not: {} }] = schema?.allOf ?? [];
      const { valid, errors } = new Validator(closed(kind, components.schemas), '2020-12').validate(
        body,
      );
      expect(valid, `${JSON.stringify(body)} ${JSON.stringify(errors.slice(-2))}`).toBe(true);
    }
  });

  it('hold nothing of a person, and of a card its last four digits at most', async () => {
    const { results } = await testEnv.DB.prepare(`SELECT * FROM ${EVENTS}`).all();
    const kept = JSON.stringify(results);
    const told = JSON.stringify(events);
    const cardNumbers = stories.map(([, cardNumber]) => cardNumber);
    for (const text of [kept, told]) {
      for (const marker of [...Object.values(PERSONAL), ...cardNumbers]) {
        expect([marker, text.includes(marker)]).toEqual([marker, false]);
      }
    }
  });
});
