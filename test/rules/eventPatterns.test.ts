/** Which events an endpoint asks for, and what the history keeps of an event. */
import { describe, expect, it } from 'vitest';
import { eventTypes, typesFitting } from '../../src/records/history/rules/eventTypes.ts';
import { packedSnapshot, snapshotOf } from '../../src/records/history/rules/snapshots.ts';

describe('the types that patterns fit', () => {
  it.each<[string[], readonly string[]]>([
    [[], []],
    [['*'], eventTypes],
    [['booking.saved'], ['booking.saved']],
    [['booking.*'], ['booking.saved', 'booking.cancelled']],
    [
      ['refund.failed', 'booking.*'],
      ['booking.saved', 'booking.cancelled', 'refund.failed'],
    ],
    [['payment'], []],
    [['saved'], []],
    [['.*'], []],
    [['dispute.w*'], ['dispute.won']],
    [['*.saved'], []],
  ])('of %o', (patterns, types) => {
    expect(typesFitting(patterns)).toEqual(types);
  });
});

describe('what is kept of an event', () => {
  const entry = {
    atMs: Date.parse('2027-02-01T04:00:00Z'),
    bookingReference: 'RES-20270201-A',
    chargeId: 376_204_492_800_384,
    gatewayReference: 'pi_3QabcdEFGHijklMN0opqrst',
    subjectId: '376204492800385',
  };
  const snapshot = {
    timestamp: '2027-02-01T04:00:00.000Z',
    refund: { id: 376_204_492_800_385, reference: 'pi_3QabcdEFGHijklMN0opqrst' },
    chargeId: entry.chargeId,
    bookingReference: entry.bookingReference,
  };
  const kept = { ...entry, newContactId: null, snapshot: packedSnapshot(snapshot, entry) };

  it('is read as it was', () => {
    expect(snapshotOf(kept)).toEqual(snapshot);
    expect(snapshotOf({ ...kept, snapshot: null })).toBe(null);
  });

  it.each(['atMs', 'bookingReference', 'chargeId', 'gatewayReference', 'subjectId'] as const)(
    'takes less room by the entry’s own %s',
    (name) => {
      const others = { ...entry, [name]: name === 'atMs' ? 0 : null };
      const alone = { value: entry[name], at: '2027-02-01T04:00:00.000Z' };
      const short = packedSnapshot(alone, entry);
      expect(short.length).toBeLessThan(packedSnapshot(alone, others).length);
    },
  );

  it('has the contact’s later id, where its guest got another', () => {
    const application = { applicationId: 1, contactId: 7, status: 'new' };
    const moved = { ...kept, snapshot: packedSnapshot({ was: 'old', application }, entry) };
    expect(snapshotOf(moved)).toEqual({ was: 'old', application });
    expect(snapshotOf({ ...moved, newContactId: 9 })).toEqual({
      was: 'old',
      application: { ...application, contactId: 9 },
    });
  });
});
