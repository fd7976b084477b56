import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/gateways/gateway.ts';
import { approval, rejection } from '../../src/gateways/rules/outcome.ts';
import { listedView } from '../../src/money/folio/listedView.ts';
import { outcomeAnswer, recordedAnswer, transactionView } from '../../src/money/payments/views.ts';
import { createdRefundView, listedRefundView } from '../../src/money/refunds/views.ts';
import type { TransactionRow } from '../../src/schema/moneyTables.ts';
import { cardRow, refundRow, SETTLED, transactionRow } from './rows.ts';

const ZONE = 'Australia/Sydney';
/** In Sydney 2026-10-02 00:30:00, at +10:00. */
const CREATED_MS = Date.UTC(2026, 9, 1, 14, 30, 0, 999);
const LOCAL = '2026-10-02 00:30:00';
const OFFSET = '2026-10-02T00:30:00+10:00';

const card = cardRow('visa-card');
const cardDetails = {
  cardNumber: '1111',
  cardType: 'visa',
  currency: 'AUD',
  token: 'visa-card',
  funding: 'unknown',
  issuerCountry: null,
};

const priced = {
  requestedMinor: 15_000,
  transactionFeeMinor: 33,
  cardFeeMinor: 465,
  amountMinor: 15_498,
};

const common = { ...SETTLED, ...priced, createdAtMs: CREATED_MS, description: 'Not shown' };
const charge = transactionRow({ ...common, status: 'Accepted', purpose: 'Deposit' });
const schedule = transactionRow({
  ...common,
  kind: 'schedule',
  status: 'Pending',
  scheduledTime: '2026-10-05T09:00:00.5-0330',
  scheduledAtMs: Date.parse('2026-10-05T09:00:00.5-03:30'),
  attempts: 2,
});
const hold = transactionRow({
  ...common,
  kind: 'authorization',
  status: 'Authorized',
  expiryTime: '2026-10-05T09:00:00z',
  expiresAtMs: Date.UTC(2026, 9, 5, 9),
});

/** What interface 2.1 shows of every transaction. */
const face = {
  id: 41,
  amount: 154.98,
  creditCardFee: 4.65,
  transactionFee: 0.33,
  bookingReference: 'RES-1',
  cardDetails,
};
const reference = 'ab'.repeat(16);

const chargeView = { ...face, type: 'PaymentDeposit', timeStamp: LOCAL, reference };
const scheduleView = {
  ...face,
  type: 'PaymentManual',
  timeStamp: OFFSET,
  status: 'Pending',
  scheduledTime: '2026-10-05T09:00:00.5-0330',
};
const holdView = {
  ...face,
  type: 'PaymentManual',
  timeStamp: OFFSET,
  reference,
  status: 'Authorized',
  preAuth: true,
  expiryTime: '2026-10-05T09:00:00z',
  holdUntil: '2026-10-05T20:00:00+11:00',
};

describe('the answer of an operation shows', () => {
  test('a charge without status, with its reference and local time', () => {
    expect(transactionView(charge, card, ZONE)).toStrictEqual(chargeView);
  });

  test('a schedule with status and its time as it was sent, without reference', () => {
    expect(transactionView(schedule, card, ZONE)).toStrictEqual(scheduleView);
  });

  test('a pre-authorization with status, preAuth and its expiry as it was sent', () => {
    expect(transactionView(hold, card, ZONE)).toStrictEqual(holdView);
  });

  test.each(['Deposit', 'Balance', 'Bond', 'Manual'] as const)(
    'a payment that is a %s by its type',
    (purpose) => {
      const view = transactionView({ ...charge, purpose }, card, ZONE);
      expect(view.type).toBe(`Payment${purpose}`);
    },
  );

  test('null for the card of a transaction that has none', () => {
    expect(transactionView(schedule, null, ZONE).cardDetails).toBeNull();
  });

  test.each([
    ['JPY', 15_498, 465],
    ['AUD', 154.98, 4.65],
    ['KWD', 15.498, 0.465],
  ])('amounts in %s with its decimals', (currency, amount, creditCardFee) => {
    const view = transactionView({ ...charge, currency }, card, ZONE);
    expect(view).toMatchObject({ amount, creditCardFee, cardDetails: { currency } });
  });
});

describe('a list shows', () => {
  const listed = { ...face, timeStamp: OFFSET, reference };

  test('a charge with status, time with offset and its refunds', () => {
    const refunds = [
      refundRow({ createdAtMs: CREATED_MS }),
      refundRow({ id: 43, status: 'Failed' }),
    ];
    const view = listedView(charge, card, refunds, null, ZONE);
    expect(view).toStrictEqual({
      ...listed,
      type: 'PaymentDeposit',
      status: 'Accepted',
      refunds: [
        {
          id: 42,
          status: 'Refunded',
          amount: 20,
          creditCardFee: 0,
          transactionFee: 0,
          reference: 'cd'.repeat(16),
          bookingReference: 'RES-1',
          type: 'RefundManual',
          timeStamp: OFFSET,
          cardDetails,
        },
        expect.objectContaining({ id: 43, status: 'Failed' }),
      ],
    });
  });

  test('a schedule with its time, its attempts and, unlike its own answer, its reference', () => {
    expect(listedView(schedule, card, [], null, ZONE)).toStrictEqual({
      ...listed,
      type: 'PaymentManual',
      status: 'Pending',
      scheduledTime: '2026-10-05T09:00:00.5-0330',
      attempts: 2,
      refunds: [],
    });
  });

  test('a pre-authorization with preAuth and its expiry', () => {
    expect(listedView(hold, card, [], null, ZONE)).toStrictEqual({
      ...listed,
      type: 'PaymentManual',
      status: 'Authorized',
      preAuth: true,
      expiryTime: '2026-10-05T09:00:00z',
      holdUntil: '2026-10-05T20:00:00+11:00',
      refunds: [],
    });
  });
});

describe('a refund is shown', () => {
  const row = refundRow({ createdAtMs: CREATED_MS, description: 'Not shown' });
  const view = {
    id: 42,
    amount: 20,
    creditCardFee: 0,
    transactionFee: 0,
    reference: 'cd'.repeat(16),
    bookingReference: 'RES-1',
    type: 'RefundManual',
    cardDetails,
  };

  test('without status and with local time in the answer that makes it', () => {
    expect(createdRefundView(row, card, ZONE)).toStrictEqual({ ...view, timeStamp: LOCAL });
  });

  test.each(['Processing', 'Refunded', 'Failed'] as const)(
    'with status (%s) and offset in lists',
    (status) => {
      const listed = listedRefundView({ ...row, status }, card, ZONE);
      expect(listed).toStrictEqual({ ...view, timeStamp: OFFSET, status });
    },
  );

  test('with null for a card that is gone', () => {
    expect(createdRefundView(row, null, ZONE).cardDetails).toBeNull();
  });
});

describe('a caller is warned', () => {
  const lapses = { warnings: ['authorization_lapses_before_expiry'] };
  const expires = { warnings: ['card_expires_before_scheduled_time'] };
  const approved = approval('g-1');
  const lapsing = { ...hold, expiresAtMs: Date.UTC(2026, 9, 5, 9) - 1 };

  test('when the gateway ends a hold before the requested time', () => {
    const transaction = { ...holdView, holdUntil: '2026-10-05T19:59:59+11:00' };
    const answer = { ok: true, value: { transaction, ...lapses } };
    expect(outcomeAnswer(lapsing, approved, card, ZONE)).toStrictEqual(answer);
    expect(recordedAnswer(lapsing, card, ZONE)).toStrictEqual(answer);
  });

  test('no longer once that hold is charged, released or expired', () => {
    for (const status of ['Accepted', 'Released', 'Expired'] as const) {
      expect(recordedAnswer({ ...lapsing, status }, card, ZONE)).toStrictEqual({
        ok: true,
        value: {
          transaction: { ...holdView, holdUntil: '2026-10-05T19:59:59+11:00', status },
        },
      });
    }
  });

  test('when the card will have expired at the time of a schedule, in the property’s zone', () => {
    const answer = { ok: true, value: { transaction: scheduleView } };
    const monthEnds = Date.parse('2026-12-01T00:00:00+11:00');
    const before = { ...schedule, scheduledAtMs: monthEnds - 1 };
    expect(recordedAnswer(before, card, ZONE)).toStrictEqual(answer);
    const after = { ...schedule, scheduledAtMs: monthEnds };
    expect(recordedAnswer(after, card, ZONE)).toStrictEqual({
      ok: true,
      value: { ...answer.value, ...expires },
    });
  });

  test('of a schedule’s card only while the schedule waits', () => {
    const row = { ...schedule, scheduledAtMs: Date.UTC(2027, 0, 1) };
    for (const status of ['Cancelled', 'Accepted'] as const) {
      const answer = recordedAnswer({ ...row, status }, card, ZONE);
      expect(answer).toStrictEqual({
        ok: true,
        value: { transaction: { ...scheduleView, status } },
      });
    }
    expect(recordedAnswer(row, null, ZONE)).not.toHaveProperty('value.warnings');
  });

  test('of nothing when a hold ends as asked, or later', () => {
    for (const laterMs of [0, 1]) {
      const row = { ...hold, expiresAtMs: Date.UTC(2026, 9, 5, 9) + laterMs };
      expect(recordedAnswer(row, card, ZONE)).toStrictEqual({
        ok: true,
        value: { transaction: holdView },
      });
    }
  });
});

describe('the answer to an operation whose outcome is', () => {
  const declined = { kind: 'declined', declineCode: 'lost_card', retryable: false } as const;

  test('approved is the transaction', () => {
    const approved = approval('g-1');
    expect(outcomeAnswer(charge, approved, card, ZONE)).toStrictEqual({
      ok: true,
      value: { transaction: chargeView },
    });
  });

  test.each([true, false])(
    'declined (retryable: %s) says why, and shows the status',
    (retryable) => {
      const row = { ...charge, status: 'Declined' as const };
      const answer = outcomeAnswer(row, { ...declined, retryable }, card, ZONE);
      expect(answer).toStrictEqual({
        ok: false,
        error: {
          code: 'card_declined',
          detail: 'The card was declined. Nothing was charged.',
          members: {
            declineCode: 'lost_card',
            retryable,
            transaction: { ...chargeView, status: 'Declined' },
          },
        },
      });
    },
  );

  const uncertain: [Outcome, TransactionRow['status'], string][] = [
    [rejection('secret'), 'Failed', 'gateway_error'],
    [{ kind: 'unknown', reason: 'secret' }, 'Processing', 'outcome_unknown'],
  ];
  test.each(uncertain)(
    '%o shows the transaction and nothing of the gateway’s reason',
    (outcome, status, code) => {
      expect(outcomeAnswer({ ...charge, status }, outcome, card, ZONE)).toStrictEqual({
        ok: false,
        error: {
          code,
          detail: expect.not.stringContaining('secret'),
          members: { transaction: { ...chargeView, status } },
        },
      });
    },
  );

  test('rejected, of a capture, shows the hold as it was before', () => {
    expect(outcomeAnswer(hold, rejection(''), card, ZONE)).toMatchObject({
      ok: false,
      error: { code: 'gateway_error', members: { transaction: holdView } },
    });
  });
});

describe('the answer from the record alone', () => {
  const codes: Record<TransactionRow['status'], string | null> = {
    Pending: null,
    Processing: 'outcome_unknown',
    Authorized: null,
    Accepted: null,
    Declined: 'card_declined',
    Failed: 'gateway_error',
    Cancelled: null,
    Released: null,
    Expired: null,
  };
  const statuses = Object.entries(codes) as [TransactionRow['status'], string | null][];

  test.each(statuses)('of one that is %s fails with the code %s', (status, code) => {
    const answer = recordedAnswer({ ...charge, status }, card, ZONE);
    expect(answer.ok ? null : answer.error.code).toBe(code);
  });

  test('is the answer of the operation, once its outcome is recorded', () => {
    for (const retryable of [true, false]) {
      const outcome = { kind: 'declined', declineCode: 'lost_card', retryable } as const;
      const columns = { declineCode: 'lost_card', declineRetryable: retryable };
      const row = { ...charge, ...columns, status: 'Declined' as const };
      const answered = outcomeAnswer(row, outcome, card, ZONE);
      expect(recordedAnswer(row, card, ZONE)).toStrictEqual(answered);
    }
    const failed = { ...charge, status: 'Failed' as const };
    const answered = outcomeAnswer(failed, rejection('x'), card, ZONE);
    expect(recordedAnswer(failed, card, ZONE)).toStrictEqual(answered);
  });
});
