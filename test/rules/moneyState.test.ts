import { describe, expect, it } from 'vitest';
import {
  paymentStateCopy,
  type StatedSums,
  stateOfBooking,
  stateOfPayment,
} from '../../src/desk/moneyState.ts';
import { bookedRow, propertyRow, transactionRow } from './rows.ts';

const dispute = (
  status: 'needs_response' | 'under_review' | 'won' | 'lost',
  transactionId = 1,
) => ({
  status,
  transactionId,
});

describe('how a payment stands', () => {
  it.each([
    [{ status: 'Accepted' }, [], 'paid'],
    [{ status: 'Accepted', refundReservedMinor: 40 }, [], 'partlyRefunded'],
    [{ status: 'Accepted', refundReservedMinor: 100 }, [], 'refunded'],
    [{ status: 'Accepted', refundReservedMinor: 40 }, [dispute('needs_response')], 'disputed'],
    [{ status: 'Accepted' }, [dispute('under_review')], 'disputed'],
    [{ status: 'Accepted' }, [dispute('lost'), dispute('under_review')], 'disputed'],
    [{ status: 'Accepted' }, [dispute('lost')], 'lost'],
    [{ status: 'Accepted' }, [dispute('won')], 'paid'],
    [{ status: 'Accepted' }, [dispute('needs_response', 2)], 'paid'],
    [{ status: 'Processing', bankAskedAtMs: 5 }, [], 'waiting'],
    [{ status: 'Processing', bankAskedAtMs: null }, [], 'unknown'],
    [{ status: 'Pending' }, [], 'scheduled'],
    [{ status: 'Authorized' }, [], 'onHold'],
    [{ status: 'Declined' }, [], 'declined'],
    [{ status: 'Failed' }, [], 'failed'],
    [{ status: 'Cancelled' }, [], 'cancelled'],
    [{ status: 'Released' }, [], 'released'],
    [{ status: 'Expired' }, [], 'expired'],
  ] as const)('%j with the disputes %j is %s', (change, disputes, state) => {
    const row = transactionRow({ id: 1, amountMinor: 100, refundReservedMinor: 0, ...change });
    expect(stateOfPayment(row, disputes)).toBe(state);
  });

  it('says until when a guest can confirm it at their bank', () => {
    const property = propertyRow({ timeZone: 'Europe/Berlin' });
    const row = transactionRow({
      status: 'Processing',
      initiator: 'guest',
      bankAskedAtMs: Date.UTC(2027, 0, 3, 18),
    });
    const state = { property, booking: bookedRow(), cards: [] };
    expect(paymentStateCopy(row, { disputes: [], state })).toBe(
      'Waiting for the guest to confirm (until 3 Jan 2027, 19:30)',
    );
  });
});

describe('how a booking stands', () => {
  const NONE: StatedSums = {
    totalCostMinor: 600,
    dueMinor: 0,
    proposedMinor: 0,
    paidMinor: 600,
    overpaidMinor: 0,
    disputedMinor: 0,
    uncertainMinor: 0,
  };
  it.each([
    [{}, 'paid'],
    [{ paidMinor: 0, dueMinor: 600, proposedMinor: 600 }, 'due'],
    [{ paidMinor: 200, dueMinor: 400, proposedMinor: 400 }, 'partlyPaid'],
    [{ paidMinor: 200, dueMinor: 400 }, 'scheduled'],
    [{ paidMinor: 700, overpaidMinor: 100 }, 'overpaid'],
    [{ paidMinor: 0, dueMinor: 600, disputedMinor: 600 }, 'disputed'],
    [{ paidMinor: 0, dueMinor: 600, uncertainMinor: 600 }, 'unknown'],
    [{ totalCostMinor: 0, paidMinor: 0 }, null],
  ] as const)('with %j it is %s', (sums, state) => {
    expect(stateOfBooking({ status: 'booked' }, { ...NONE, ...sums })).toBe(state);
  });

  it('is cancelled where nothing else needs anybody', () => {
    expect(stateOfBooking({ status: 'cancelled' }, NONE)).toBe('cancelled');
  });
});
