import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/core/failure.ts';
import { TRANSACTION_NOT_FOUND, wrongKind, wrongState } from '../../src/money/payments/rules.ts';
import { EXCEEDS_CHARGE } from '../../src/money/refunds/rules.ts';
import { overtaken } from '../../src/platform/db/retryWhenStale.ts';
import { APPLICATION_NOT_FOUND, illegalMove } from '../../src/records/applications/rules.ts';
import {
  bookingCancelled,
  bookingNotFound,
  busy,
  stillRunning,
  uncertain,
} from '../../src/records/bookings/rules.ts';
import { REQUEST_USED } from '../../src/records/cardRequests/rules.ts';
import { propertyNotFound } from '../../src/records/properties/rules.ts';

/** Every failure that several operations share, with its code. */
const failures: readonly (readonly [Failure['code'], () => Failure])[] = [
  ['application_not_found', () => APPLICATION_NOT_FOUND],
  ['booking_not_found', () => bookingNotFound()],
  ['property_not_found', () => propertyNotFound()],
  ['transaction_not_found', () => TRANSACTION_NOT_FOUND],
  ['invalid_state', () => bookingCancelled()],
  ['invalid_state', () => REQUEST_USED],
  ['invalid_state', () => illegalMove('Held', 'Tentative')],
  ['invalid_state', () => wrongKind('pre-authorization')],
  ['invalid_state', () => wrongState('charge', { status: 'Declined' })],
  ['refund_exceeds_charge', () => EXCEEDS_CHARGE],
  ['busy', () => busy()],
  ['busy', () => overtaken('application')],
  ['busy', () => stillRunning()],
  ['outcome_unknown', () => uncertain()],
];

describe('a failure', () => {
  test.each(failures)('%s says what is wrong in a sentence', (code, make) => {
    // Made here: a mutation counts for the test during which it runs.
    const failure = make();
    expect(failure.code).toBe(code);
    expect(failure.detail).toMatch(/^[A-Z].{10,}\.$/s);
  });

  test('names the states and kinds that it is about', () => {
    expect(wrongState('charge', { status: 'Declined' }).detail).toContain('Declined');
    expect(wrongKind('pre-authorization').detail).toContain('pre-authorization');
    expect(illegalMove('Held', 'Tentative').detail).toMatch(/Held.*Tentative/s);
  });

  test('that passes by itself says when to try again', () => {
    for (const failure of [busy(), overtaken('application'), stillRunning()]) {
      expect(failure.retryAfterSeconds).toBeGreaterThan(0);
    }
  });
});
