import * as fc from 'fast-check';
import { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { currenciesByExponent } from '../../src/core/money.ts';
import { fromStripeAmount, toStripeAmount } from '../../src/gateways/stripe/amounts.ts';
import { dashboardPage } from '../../src/gateways/stripe/dashboard.ts';
import { stripeDecline } from '../../src/gateways/stripe/declines.ts';
import { outcomeOfError } from '../../src/gateways/stripe/errors.ts';
import {
  outcomeOfAuthorization,
  outcomeOfCharge,
  outcomeOfRefund,
  outcomeOfRelease,
} from '../../src/gateways/stripe/outcomes.ts';

describe('an amount as Stripe counts it', () => {
  it.each([
    [15_464, 'AUD', 15_464],
    [500, 'JPY', 500],
    [1_230, 'KWD', 1_230],
    [1_234, 'KWD', null],
    [5, 'ISK', 500],
    [5, 'UGX', 500],
    [500, 'MGA', 5],
    [501, 'MGA', null],
    [100, 'XYZ', null],
  ])('%d minor units of %s are %s', (minor, currency, amount) => {
    expect(toStripeAmount(minor, currency)).toBe(amount);
  });

  it('is read back as it was, in every currency', () => {
    const currencies = [...currenciesByExponent().values()].flat();
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.integer({ min: 1, max: 99_999_999_999 }),
        (currency, minor) => {
          const amount = toStripeAmount(minor, currency);
          if (amount !== null) expect(fromStripeAmount(amount, currency)).toBe(minor);
        },
      ),
    );
  });
});

describe('the page of a payment in the dashboard', () => {
  it.each([
    ['/cus_1/pm_1', false, 'payments/pi_1'],
    ['/cus_1/pm_1', true, 'test/payments/pi_1'],
    ['acct_1/cus_1/pm_1', false, 'acct_1/payments/pi_1'],
    ['acct_1/cus_1/pm_1', true, 'acct_1/test/payments/pi_1'],
  ])('of a card %s, in test mode %s, is %s', (token, isTest, place) => {
    expect(dashboardPage('pi_1', token, isTest)).toBe(`https://dashboard.stripe.com/${place}`);
  });
});

describe('a decline', () => {
  it.each([
    ['insufficient_funds', true],
    ['do_not_honor', true],
    ['lost_card', false],
    ['authentication_required', false],
    ['something_new', true],
    [undefined, true],
  ])('%s may be tried again: %s', (code, retryable) => {
    expect(stripeDecline({ code })).toEqual({
      kind: 'declined',
      declineCode: code ?? 'generic_decline',
      retryable,
    });
  });
});

const { errors } = Stripe;

const raw = (statusCode: number, more: object = {}) =>
  ({ message: 'm', statusCode, ...more }) as ConstructorParameters<typeof errors.StripeError>[0];

describe('what an error says of a request', () => {
  it.each([
    [
      'a declined card',
      new errors.StripeCardError(raw(402, { decline_code: 'lost_card' })),
      'declined',
    ],
    ['a field that is wrong', new errors.StripeInvalidRequestError(raw(400)), 'rejected'],
    ['nothing there', new errors.StripeInvalidRequestError(raw(404)), 'rejected'],
    ['a wrong key', new errors.StripeAuthenticationError(raw(401)), 'rejected'],
    ['no permission', new errors.StripePermissionError(raw(403)), 'rejected'],
    ['too many requests', new errors.StripeRateLimitError(raw(429)), 'rejected'],
    ['a key in use', new errors.StripeIdempotencyError(raw(409)), 'unknown'],
    ['a lock', new errors.StripeInvalidRequestError(raw(400, { code: 'lock_timeout' })), 'unknown'],
    ['a conflict', new errors.StripeInvalidRequestError(raw(409)), 'unknown'],
    ['Stripe’s own trouble', new errors.StripeAPIError(raw(500)), 'unknown'],
    ['a broken connection', new errors.StripeConnectionError(raw(0)), 'unknown'],
    ['anything else', new Error('bug'), 'unknown'],
    ['no error at all', 'text', 'unknown'],
  ] as const)('%s', (_case, error, kind) => {
    expect(outcomeOfError(error).kind).toBe(kind);
  });
});

const intent = (changes: object) =>
  ({
    id: 'pi_1',
    currency: 'aud',
    last_payment_error: null,
    latest_charge: null,
    ...changes,
  }) as Stripe.PaymentIntent;

describe('what a payment came to', () => {
  const declined = { last_payment_error: { decline_code: 'insufficient_funds' } };
  const notVerified = { last_payment_error: { code: 'payment_intent_authentication_failure' } };

  it.each([
    ['succeeded', {}, 'approved'],
    ['requires_payment_method', declined, 'declined'],
    ['requires_action', {}, 'open'],
    ['requires_payment_method', notVerified, 'declined'],
    ['canceled', {}, 'rejected'],
    ['canceled', { cancellation_reason: 'abandoned' }, 'declined'],
    ['processing', {}, 'unknown'],
    ['requires_payment_method', {}, 'unknown'],
    ['requires_confirmation', {}, 'open'],
    ['requires_capture', {}, 'unknown'],
  ])('charged, when %s %o: %s', (status, more, kind) => {
    expect(outcomeOfCharge(intent({ status, ...more })).kind).toBe(kind);
  });

  it.each([
    ['https://hooks.stripe.com/3d', 'https://hooks.stripe.com/3d'],
    ['http://127.0.0.1:12111/3d', 'http://127.0.0.1:12111/3d'],
    ['javascript:alert(1)', null],
    [undefined, null],
  ])('open, with where its holder confirms it: %s', (url, shown) => {
    const next_action = url === undefined ? null : { redirect_to_url: { url } };
    const open = outcomeOfCharge(intent({ status: 'requires_action', next_action }));
    expect(open).toEqual({ kind: 'open', gatewayReference: 'pi_1', url: shown });
  });

  it.each([{ cancellation_reason: 'abandoned' }, notVerified])(
    'declined for good, when its holder did not confirm it: %o',
    (more) => {
      const status = 'cancellation_reason' in more ? 'canceled' : 'requires_payment_method';
      expect(outcomeOfCharge(intent({ status, ...more }))).toEqual({
        kind: 'declined',
        declineCode: 'authentication_required',
        retryable: false,
      });
    },
  );

  it('held, with when it lapses where Stripe says so', () => {
    const latest_charge = { payment_method_details: { card: { capture_before: 1_800_000_000 } } };
    const held = intent({ status: 'requires_capture', latest_charge });
    expect(outcomeOfAuthorization(held)).toMatchObject({
      kind: 'approved',
      gatewayReference: 'pi_1',
      lapsesAtMs: 1_800_000_000_000,
    });
    const silent = outcomeOfAuthorization(intent({ status: 'requires_capture' }));
    expect(silent).toMatchObject({ kind: 'approved', lapsesAtMs: null });
    expect(outcomeOfAuthorization(intent({ status: 'processing' })).kind).toBe('unknown');
  });

  it('let go, or not yet', () => {
    expect(outcomeOfRelease(intent({ status: 'canceled' })).kind).toBe('approved');
    expect(outcomeOfRelease(intent({ status: 'succeeded' })).kind).toBe('rejected');
    expect(outcomeOfRelease(intent({ status: 'requires_capture' })).kind).toBe('unknown');
  });

  it.each([
    ['succeeded', 'approved'],
    ['pending', 'approved'],
    ['requires_action', 'approved'],
    ['failed', 'rejected'],
    ['canceled', 'rejected'],
    [null, 'unknown'],
  ])('refunded, when %s: %s', (status, kind) => {
    expect(outcomeOfRefund({ id: 're_1', currency: 'aud', status } as Stripe.Refund).kind).toBe(
      kind,
    );
  });
});
