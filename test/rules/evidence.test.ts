import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { amountText } from '../../src/money/disputes/evidence/rules/amounts.ts';
import { latestOf } from '../../src/money/disputes/evidence/rules/earlier.ts';
import {
  type EvidencePart,
  evidenceFields,
  evidenceParts,
  evidenceToSend,
  LONGEST_EVIDENCE,
  longestOf,
} from '../../src/money/disputes/evidence/rules/fields.ts';
import { missingFor } from '../../src/money/disputes/evidence/rules/packs.ts';
import { policyWords } from '../../src/money/disputes/evidence/rules/policy.ts';
import { stayOf } from '../../src/money/disputes/evidence/rules/stay.ts';
import { suggestedTexts } from '../../src/money/disputes/evidence/rules/suggested.ts';
import type { Facts } from '../../src/money/disputes/evidence/views.ts';
import { isToldNow, nextLookAtMs, whyNotAnswered } from '../../src/money/disputes/rules.ts';
import { STRIPE_MOST_TEXT, stripeTexts } from '../support/stripeEvidence.ts';
import { applicationRow } from './applicationRows.ts';

const NOTHING: Facts = {
  booking: {
    reference: 'RES-1',
    status: 'booked',
    guest: 'Ana Nguyen',
    email: 'ana@hotel.com',
    phone: null,
    address: null,
    arrival: '2027-02-14',
    departure: '2027-02-17',
    totalCost: 600,
    currency: 'AUD',
    source: null,
    pmsConfirmationNumber: null,
    madeAt: '2027-01-01T10:00:00+08:00',
  },
  changes: [],
  policy: null,
  agreements: [],
  payments: [],
  refunds: [],
  mails: [],
  openings: [],
  stay: { happened: false, status: null, arrivedAt: null, departedAt: null },
  earlierPayments: [],
};

const payment = (chargeId: number, more: Partial<Facts['payments'][number]> = {}) => ({
  chargeId,
  amount: 100,
  currency: 'AUD',
  status: 'Accepted' as const,
  initiator: 'guest' as const,
  description: null,
  at: '2027-01-02T10:00:00+08:00',
  cardType: 'visa',
  cardNumber: '4242',
  cardHolderName: null,
  bankStep: null,
  disputed: chargeId === 1,
  ...more,
});

const agreed = (chargeId: number | null, ipAddress: string | null) => ({
  kind: chargeId === null ? ('card' as const) : ('payment' as const),
  at: '2027-01-02T09:59:00+08:00',
  language: 'en',
  words: 'Total: AUD 100\nPay',
  chargeId,
  ipAddress,
  browser: 'Firefox',
});

const disputed = (reason: string) => ({
  property: 'Demo',
  chargeId: 1,
  reason,
  gatewayIds: new Map([[2, 'pi_2']]),
});

/** The facts with one part known. */
const known: Readonly<Record<EvidencePart, Partial<Facts>>> = {
  agreements: { agreements: [agreed(1, null)] },
  bankStep: {
    payments: [
      payment(1, { bankStep: { askedAt: '2027-01-02T10:00:00+08:00', result: 'confirmed' } }),
    ],
  },
  earlierPayments: {
    earlierPayments: [
      {
        chargeId: 9,
        bookingReference: 'RES-0',
        amount: 80,
        currency: 'AUD',
        at: '2026-05-02T10:00:00+08:00',
      },
    ],
  },
  mails: { mails: [{ kind: 'receipt', sentAt: '2027-01-02T10:01:00+08:00' }] },
  openings: { openings: [{ at: '2027-01-02T09:58:00+08:00', ipAddress: null, browser: null }] },
  policy: { policy: { words: 'Ask us.', disclosedAt: null } },
  refunds: {
    refunds: [
      {
        refundId: 5,
        chargeId: 1,
        amount: 10,
        currency: 'AUD',
        status: 'Refunded',
        askedAt: '2027-01-03T10:00:00+08:00',
        refundedAt: '2027-01-03T10:00:00+08:00',
      },
    ],
  },
  stay: { stay: { ...NOTHING.stay, happened: true } },
};

const NOT_THEIRS = ['stay', 'agreements', 'bankStep', 'openings', 'earlierPayments', 'mails'];
const GENERAL = ['stay', 'agreements', 'policy', 'mails'];
const MONEY_BACK = ['policy', 'agreements', 'refunds', 'stay'];

describe('what is missing', () => {
  // Every reason that Stripe has.
  it.each([
    ['bank_cannot_process', GENERAL],
    ['check_returned', GENERAL],
    ['credit_not_processed', MONEY_BACK],
    ['customer_initiated', GENERAL],
    ['debit_not_authorized', GENERAL],
    ['duplicate', ['agreements', 'mails', 'stay']],
    ['fraudulent', NOT_THEIRS],
    ['general', GENERAL],
    ['incorrect_account_details', GENERAL],
    ['insufficient_funds', GENERAL],
    ['noncompliant', GENERAL],
    ['product_not_received', ['stay', 'policy', 'mails']],
    ['product_unacceptable', ['stay', 'agreements', 'policy', 'refunds']],
    ['subscription_canceled', MONEY_BACK],
    ['unrecognized', NOT_THEIRS],
    ['constructor', GENERAL],
  ])('of %s is what answers it, less what is known', (reason, parts) => {
    expect(missingFor(reason, 1, NOTHING)).toEqual(parts);
    for (const part of evidenceParts) {
      const left = parts.filter((one) => one !== part);
      expect([part, missingFor(reason, 1, { ...NOTHING, ...known[part] })]).toEqual([part, left]);
    }
  });

  it('is only what is not known of the disputed charge', () => {
    const step = { askedAt: '2027-01-02T10:00:00+08:00', result: 'confirmed' as const };
    const facts: Facts = {
      ...NOTHING,
      payments: [payment(1, { bankStep: step }), payment(2)],
      agreements: [agreed(1, '203.0.113.7')],
      stay: { ...NOTHING.stay, happened: true },
    };
    expect(missingFor('fraudulent', 1, facts)).toEqual(['openings', 'earlierPayments', 'mails']);
    expect(missingFor('fraudulent', 2, facts)).toContain('bankStep');
  });
});

describe('the earlier payments of a card', () => {
  const at = (id: number, completedAtMs: number | null) => {
    return { id, amountMinor: 1, bookingReference: 'RES-0', completedAtMs, currency: 'AUD' };
  };

  it('are the latest, the latest first', () => {
    const found = [at(1, null), at(2, 20), at(3, 30), at(4, 20), at(5, 10)];
    expect(latestOf(found, 3).map(({ id }) => id)).toEqual([3, 4, 2]);
    expect(latestOf(found, 9).map(({ id }) => id)).toEqual([3, 4, 2, 5, 1]);
  });
});

describe('an amount in evidence', () => {
  it.each([
    [100, 'AUD', 'AUD 100.00'],
    [80.5, 'AUD', 'AUD 80.50'],
    [1_234, 'JPY', 'JPY 1234'],
    [0.5, 'KWD', 'KWD 0.500'],
  ])('of %d %s is %s', (amount, currency, text) => {
    expect(amountText({ amount, currency })).toBe(text);
  });
});

describe('the fields of evidence', () => {
  it('are of those that Stripe publishes, and no longer', () => {
    const ours = evidenceFields.map((field) => [field, longestOf(field)] as const);
    expect(ours).toEqual(ours.map(([field]) => [field, stripeTexts.get(field)]));
    expect(LONGEST_EVIDENCE).toBe(STRIPE_MOST_TEXT);
  });

  it('are cut to what Stripe takes where they are suggested', () => {
    const booking = { ...NOTHING.booking, address: 'x'.repeat(6_000) };
    const { billing_address } = suggestedTexts({ ...NOTHING, booking }, disputed('general'));
    expect(billing_address).toHaveLength(5_000);
  });
});

describe('the suggested texts', () => {
  it('leave out what nothing is known of', () => {
    const texts = suggestedTexts(NOTHING, disputed('general'));
    expect(Object.keys(texts).toSorted()).toEqual([
      'cancellation_rebuttal',
      'customer_email_address',
      'customer_name',
      'product_description',
      'service_date',
      'uncategorized_text',
    ]);
  });

  it('name the address of the payment before that of the card, and another charge of a duplicate', () => {
    const facts: Facts = {
      ...NOTHING,
      payments: [payment(1, { description: 'Room' }), payment(2, { description: 'Spa' })],
      agreements: [agreed(null, '203.0.113.1'), agreed(1, '203.0.113.7')],
    };
    expect(suggestedTexts(facts, disputed('duplicate'))).toMatchObject({
      customer_purchase_ip: '203.0.113.7',
      duplicate_charge_id: 'pi_2',
      duplicate_charge_explanation: expect.stringContaining('Spa'),
      access_activity_log: expect.stringContaining('Total: AUD 100 | Pay'),
    });
    const others = [agreed(2, '203.0.113.9'), agreed(null, null), agreed(null, '203.0.113.1')];
    const alone = { ...facts, agreements: others };
    expect(suggestedTexts(alone, disputed('fraudulent'))).toMatchObject({
      customer_purchase_ip: '203.0.113.1',
    });
    expect(suggestedTexts(alone, disputed('fraudulent'))).not.toHaveProperty('duplicate_charge_id');
  });

  it('say all that is known', () => {
    const booking = { ...NOTHING.booking, address: 'Main Street 1', status: 'cancelled' as const };
    const change = { by: 'demo-client', from: 'booked', to: 'cancelled', detail: null };
    const facts: Facts = {
      ...NOTHING,
      ...known.earlierPayments,
      ...known.mails,
      ...known.refunds,
      booking,
      changes: [
        { ...change, what: 'booking', at: '2027-01-04T10:00:00+08:00' },
        { ...change, what: 'booking', to: 'booked', at: '2027-01-05T10:00:00+08:00' },
        { ...change, what: 'booking', at: '2027-01-06T10:00:00+08:00' },
        { ...change, what: 'card', at: '2027-01-07T10:00:00+08:00' },
      ],
      policy: { words: 'Free until a week before.', disclosedAt: '2027-01-01T10:00:00+08:00' },
      agreements: [agreed(null, '203.0.113.1'), { ...agreed(1, null), browser: null }],
      openings: [{ at: '2027-01-02T09:58:00+08:00', ipAddress: '203.0.113.7', browser: null }],
      payments: [
        payment(2, { amount: 80.5, at: '2027-01-01T10:00:00+08:00', status: 'Declined' }),
        payment(1, {
          amount: 1234.5,
          description: 'Room',
          bankStep: { askedAt: '2027-01-02T10:00:00+08:00', result: 'confirmed' },
        }),
        payment(3, { bankStep: { askedAt: '2027-01-02T10:00:00+08:00', result: 'notConfirmed' } }),
        payment(4, { bankStep: { askedAt: '2027-01-02T10:00:00+08:00', result: 'open' } }),
      ],
      stay: {
        happened: true,
        status: null,
        arrivedAt: '2027-02-14T15:00:00+08:00',
        departedAt: '2027-02-17T10:00:00+08:00',
      },
    };
    expect(suggestedTexts(facts, disputed('general'))).toEqual({
      customer_name: 'Ana Nguyen',
      customer_email_address: 'ana@hotel.com',
      billing_address: 'Main Street 1',
      customer_purchase_ip: '203.0.113.1',
      product_description:
        'Stay at Demo from 14 February 2027 to 17 February 2027, booking RES-1, for Ana Nguyen. The charge: Room.',
      service_date: '2027-02-14',
      access_activity_log: [
        '2027-01-02T09:58:00+08:00 opened the page of the booking by the link that we sent from 203.0.113.7',
        '2027-01-02T09:59:00+08:00 agreed on our page (card) from 203.0.113.1 with Firefox: Total: AUD 100 | Pay',
        '2027-01-02T09:59:00+08:00 agreed on our page (payment): Total: AUD 100 | Pay',
      ].join('\n'),
      cancellation_policy_disclosure:
        'Free until a week before.\nDisclosed to the guest on 2027-01-01T10:00:00+08:00.',
      refund_policy_disclosure: 'Free until a week before.',
      cancellation_rebuttal: 'The booking was cancelled on 2027-01-06T10:00:00+08:00.',
      refund_refusal_explanation:
        'Refunded to the same card: AUD 10.00 on 2027-01-03T10:00:00+08:00.',
      uncategorized_text: [
        'The booking was made on 2027-01-01T10:00:00+08:00.',
        'A charge of AUD 80.50 on 2027-01-01T10:00:00+08:00, card ending in 4242: Declined.',
        'The disputed charge of AUD 1234.50 on 2027-01-02T10:00:00+08:00, card ending in 4242: Accepted; the bank of the cardholder verified them.',
        'A charge of AUD 100.00 on 2027-01-02T10:00:00+08:00, card ending in 4242: Accepted; the cardholder did not confirm it to their bank.',
        'A charge of AUD 100.00 on 2027-01-02T10:00:00+08:00, card ending in 4242: Accepted; the bank of the cardholder has not answered.',
        'Mails to the guest: receipt on 2027-01-02T10:01:00+08:00.',
        'The guest arrived on 2027-02-14T15:00:00+08:00.',
        'The guest departed on 2027-02-17T10:00:00+08:00.',
        'The same card paid before without any dispute: AUD 80.00 on 2026-05-02T10:00:00+08:00.',
      ].join('\n'),
    });
  });

  it('of a stay that nobody told of say that it took place', () => {
    const texts = suggestedTexts({ ...NOTHING, ...known.stay }, disputed('general'));
    expect(texts).toMatchObject({
      cancellation_rebuttal: 'The booking was not cancelled.',
      product_description:
        'Stay at Demo from 14 February 2027 to 17 February 2027, booking RES-1, for Ana Nguyen.',
      uncategorized_text:
        'The booking was made on 2027-01-01T10:00:00+08:00.\nThe stay took place as booked.',
    });
  });

  it('without a refund of the charge say that the policy gives none', () => {
    const [given] = known.refunds.refunds ?? [];
    const refunds = given
      ? [
          { ...given, chargeId: 2 },
          { ...given, status: 'Failed' as const },
        ]
      : [];
    const texts = suggestedTexts({ ...NOTHING, ...known.policy, refunds }, disputed('general'));
    expect(texts).toMatchObject({
      cancellation_policy_disclosure: 'Ask us.',
      refund_refusal_explanation: 'No refund is due by the policy: Ask us.',
    });
  });

  it('of a duplicate tell what each accepted charge was for, and name none that is not', () => {
    const payments = [
      payment(1),
      payment(2, { description: 'Spa', amount: 80 }),
      payment(3),
      payment(4, { status: 'Declined' }),
    ];
    const texts = suggestedTexts({ ...NOTHING, payments }, disputed('duplicate'));
    expect(texts.duplicate_charge_explanation).toBe(
      [
        'The booking was charged for different things',
        'AUD 100.00 on 2027-01-02T10:00:00+08:00: the stay',
        'AUD 80.00 on 2027-01-02T10:00:00+08:00: Spa',
        'AUD 100.00 on 2027-01-02T10:00:00+08:00: the stay.',
      ].join('. '),
    );
    const declined = [payment(1), payment(2, { status: 'Declined' })];
    const one = suggestedTexts({ ...NOTHING, payments: declined }, disputed('duplicate'));
    expect(one).not.toHaveProperty('duplicate_charge_explanation');
    const unnamed = suggestedTexts(
      { ...NOTHING, payments: [payment(1), payment(3)] },
      disputed('duplicate'),
    );
    expect(unnamed).not.toHaveProperty('duplicate_charge_id');
  });

  it('are replaced by written ones, left out by empty ones, and bounded together', () => {
    const suggested = { customer_name: 'Ana', service_date: '2027-02-14' };
    const written = { customer_name: 'Ana Nguyen', service_date: '' };
    expect(evidenceToSend(suggested, written)).toEqual({ customer_name: 'Ana Nguyen' });
    const long = 'x'.repeat(longestOf('uncategorized_text'));
    const all = Object.fromEntries(
      Array.from({ length: Math.ceil(LONGEST_EVIDENCE / long.length) + 1 }, (_, field) => [
        String(field),
        long,
      ]),
    );
    expect(evidenceToSend(all, {})).toBeNull();
  });
});

describe('a policy', () => {
  it('has its own words, or those of its rules', () => {
    const rules = [
      { daysBeforeArrival: 7, time: '18:00', keep: { nothing: true } },
      { daysBeforeArrival: 2, keep: { firstNight: true } },
      { keep: { percent: 100 } },
    ] as const;
    expect(policyWords({ rules, text: 'Ask us.' }, 'AUD')).toBe('Ask us.');
    expect(policyWords({ rules, noShow: { amountMinor: 5_000 } }, 'AUD')).toBe(
      'Cancelled until 18:00, 7 days before arrival, nothing is kept. Cancelled until the end of the day, 2 days before arrival, the price of the first night is kept. Later, 100 % of the price is kept. Of a guest who does not come, AUD\u00a050.00 is kept.',
    );
  });
});

describe('a stay', () => {
  const past = { departure: '2027-02-17', status: 'booked' } as const;
  const nowMs = Date.parse('2027-02-18T00:00:00+08:00');
  const happened = (...of: Parameters<typeof stayOf>) => stayOf(...of).happened;

  it.each([
    ['is past on the day after the departure', past, nowMs, true],
    ['is not past on the day itself', past, nowMs - 1, false],
    [
      'did not happen where it was cancelled',
      { ...past, status: 'cancelled' } as const,
      nowMs,
      false,
    ],
  ])('%s', (_what, booking, atMs, is) => {
    expect(happened(booking, [], atMs, 'Australia/Perth')).toBe(is);
  });

  it('happened once its application says so, whatever the booking does', () => {
    const there = { ...applicationRow(), currentStatus: 'In Room' as const, inRoomAtMs: 5 };
    const booking = { ...past, status: 'cancelled' } as const;
    expect(stayOf(booking, [there], 0, 'UTC')).toMatchObject({
      happened: true,
      status: 'In Room',
      arrivedAtMs: 5,
    });
  });
});

describe('a dispute that waits', () => {
  const respondByMs = 100 * DAY_MS;
  const open = {
    status: 'needs_response',
    pendingAnswer: null,
    answeredAtMs: null,
    dueAtMs: null,
    respondByMs,
    toldDeadlineMs: null,
  } as const;
  const soonMs = respondByMs - 48 * HOUR_MS;

  it.each([
    ['long before', open, 0, soonMs],
    ['within two days', open, soonMs + 1, soonMs + 1],
    ['once it was told', { ...open, toldDeadlineMs: respondByMs }, soonMs + 1, null],
    ['with a later deadline', { ...open, toldDeadlineMs: 1 }, 0, soonMs],
    ['after its deadline', open, respondByMs, null],
    ['without a deadline', { ...open, respondByMs: null }, 0, null],
    [
      'with an answer on its way',
      { ...open, pendingAnswer: 'evidence' as const, dueAtMs: 7 },
      0,
      7,
    ],
    ['that somebody else answered', { ...open, status: 'under_review' as const }, 0, null],
    [
      'for the bank',
      { ...open, status: 'under_review' as const, answeredAtMs: DAY_MS },
      DAY_MS,
      3 * DAY_MS,
    ],
    [
      'for the bank for long',
      { ...open, status: 'under_review' as const, answeredAtMs: DAY_MS },
      5 * DAY_MS,
      6 * DAY_MS,
    ],
    [
      'for the bank for ever',
      { ...open, status: 'under_review' as const, answeredAtMs: 0 },
      120 * DAY_MS,
      null,
    ],
    ['no more', { ...open, status: 'won' as const }, 0, null],
  ])('%s is looked at next in time', (_how, row, nowMs, next) => {
    expect(nextLookAtMs(row, nowMs)).toBe(next);
  });

  it('is told of from two days before its deadline to that, once', () => {
    expect(isToldNow(open, soonMs - 1)).toBe(false);
    expect(isToldNow(open, soonMs)).toBe(true);
    expect(isToldNow(open, respondByMs)).toBe(false);
    expect(isToldNow({ ...open, toldDeadlineMs: respondByMs }, soonMs)).toBe(false);
    expect(isToldNow({ ...open, pendingAnswer: 'evidence' }, soonMs)).toBe(false);
  });

  it.each([
    [open, 'evidence', 'chargeback', null],
    [open, 'evidence', 'inquiry', null],
    [open, 'acceptance', 'chargeback', null],
    [open, 'acceptance', 'inquiry', /refund the charge/],
    [{ ...open, pendingAnswer: 'evidence' } as const, 'evidence', 'chargeback', /on its way/],
    [{ ...open, status: 'under_review' } as const, 'evidence', 'chargeback', /under_review/],
    [{ ...open, status: 'lost' } as const, 'acceptance', 'chargeback', /lost/],
  ] as const)('is answered only while it waits: %o %s %s', (row, answer, stage, refused) => {
    const failure = whyNotAnswered(row, answer, stage);
    if (refused === null) expect(failure).toBeNull();
    else
      expect(failure).toMatchObject({
        code: 'invalid_state',
        detail: expect.stringMatching(refused),
      });
  });
});
