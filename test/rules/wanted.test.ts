import { describe, expect, test } from 'vitest';
import {
  isCalledOff,
  isStillWanted,
  stopsOnCancellation,
  underWay,
} from '../../src/money/payments/rules/cases.ts';
import type { TransactionRow } from '../../src/schema/moneyTables.ts';
import { bookedRow, transactionRow } from './rows.ts';

const standing = { booking: bookedRow() };
const cancelled = {
  booking: bookedRow({ status: 'cancelled', version: 2, pendingCancelledVersion: 2 }),
};
const kept = { booking: bookedRow({ status: 'cancelled', version: 2 }) };
const bookedAgain = { booking: bookedRow({ version: 3, pendingCancelledVersion: 2 }) };

const schedule = transactionRow({ kind: 'schedule' });
const hold = transactionRow({ kind: 'authorization', pendingOperation: 'authorize' });
const guests = transactionRow({ initiator: 'guest' });
const madeAgain = transactionRow({ replacesCharge: 7 });
const own = transactionRow();

describe('a lost request', () => {
  test.each([
    ['a schedule', schedule, [true, false, true, false]],
    ['a hold', hold, [true, false, true, false]],
    ["a guest's payment", guests, [true, false, false, false]],
    ['a charge that recovery makes again', madeAgain, [true, false, false, false]],
    ["the property's own charge", own, [true, true, true, true]],
    ['a capture', { ...hold, pendingOperation: 'capture' }, [true, true, true, true]],
    ['a release', { ...hold, pendingOperation: 'release' }, [true, true, true, true]],
  ] as const)(
    'of %s is sent again while it is wanted: booked, cancelled, kept, booked again',
    (_, row, wanted) => {
      const states = [standing, cancelled, kept, bookedAgain];
      expect(states.map((state) => isStillWanted(state, row))).toEqual(wanted);
    },
  );

  test.each([
    ['a schedule', schedule, false],
    ['a hold', hold, false],
    ['a release', { ...hold, pendingOperation: 'release' }, true],
  ] as const)('of %s whose end a caller asked for is sent again: %s', (_, row, wanted) => {
    const unwanted: TransactionRow = { ...row, unwantedSinceMs: 1 };
    expect(isStillWanted(standing, unwanted)).toBe(wanted);
    expect(isCalledOff(standing, unwanted)).toBe(true);
  });
});

describe('a charge that is made at once', () => {
  test.each([
    ['a guest’s', { kind: 'charge', initiator: 'guest', replacesCharge: null }, true],
    [
      'in place of a declined one',
      { kind: 'charge', initiator: 'property', replacesCharge: 7 },
      true,
    ],
    ['a property’s', { kind: 'charge', initiator: 'property', replacesCharge: null }, false],
    ['none, but a schedule', { kind: 'schedule', initiator: 'guest', replacesCharge: 7 }, false],
  ] as const)('stops with its booking or not: %s', (_what, row, stops) => {
    expect(stopsOnCancellation(row)).toBe(stops);
  });
});

describe('an operation under way', () => {
  test.each([
    ['nothing is asked for', { pendingOperation: null }],
    ['there is no key', { gatewayKey: null }],
    ['nobody knows when it was asked', { askedAtMs: null }],
  ])('is none where %s', (_what, changes) => {
    expect(() => underWay(transactionRow(changes))).toThrow('no operation is under way');
  });
});
