import { describe, expect, it } from 'vitest';
import {
  addedUp,
  GUEST_MEMBERS,
  isFreeText,
  type KeptCounts,
  keptOf,
  stillOpen,
  withoutGuest,
} from '../../src/records/privacy/rules.ts';

describe('what is open yet', () => {
  it('is named, in the sentence and in the members', () => {
    const open = [
      { what: 'charge', id: '7' },
      { what: 'dispute', id: 'dp_1' },
    ];
    expect(stillOpen('B-1', open)).toMatchObject({
      code: 'invalid_state',
      detail: 'The booking B-1 has open: charge 7, dispute dp_1.',
      members: {
        open: [
          { bookingReference: 'B-1', what: 'charge', id: '7' },
          { bookingReference: 'B-1', what: 'dispute', id: 'dp_1' },
        ],
      },
    });
  });
});

describe('what was erased', () => {
  it('adds up by its kind, without what was nothing', () => {
    const of = (what: string, count: number) => ({ what, count });
    const all = [of('names', 2), of('mails', 0), of('names', 3), of('texts', 1)];
    expect(addedUp(all)).toEqual([of('names', 5), of('texts', 1)]);
    expect(addedUp([])).toEqual([]);
  });
});

describe('a detail of the audit trail', () => {
  it.each([
    [null, false],
    ['card_declined', false],
    ['agreed to payment-terms 2027-02-14', false],
    ['agreed to payment-terms', true],
    ['agreed to payment-terms of the house', true],
    ['he agreed to payment-terms v1', true],
    ['Ana asked for it', true],
    ['card declined', true],
    ['', true],
  ])("may be somebody's own words: %s", (detail, isFree) => {
    expect(isFreeText(detail)).toBe(isFree);
  });
});

describe('an event without its guest', () => {
  it('shows what tells nothing of them', () => {
    const application = {
      email: 'ana@hotel.com',
      agent: { name: 'A' },
      city: 'Hobart',
      applicationNumber: 7,
      roomType: 'Twin',
      under18: false,
    };
    expect(withoutGuest({ timestamp: 't', application })).toEqual({
      timestamp: 't',
      application: {
        email: null,
        agent: null,
        city: null,
        applicationNumber: 7,
        roomType: 'Twin',
        under18: false,
      },
    });
  });

  it.each([[null], [undefined], ['application'], [{}], [{ transaction: {} }]])(
    'is none where it shows no application: %o',
    (snapshot) => {
      expect(withoutGuest(snapshot)).toBe(null);
    },
  );

  it('loses the members that name somebody, and keeps those that only count', () => {
    expect(GUEST_MEMBERS).toEqual(
      expect.arrayContaining(['email', 'agent', 'dateOfBirth', 'nationality', 'userAgent']),
    );
    const kept = [
      'internationalStudent',
      'nonStudent',
      'inAustralia',
      'ageOnArrival',
      'under18',
      'roomType',
      'rateType',
      'residents',
      'isMobile',
      'isTablet',
    ];
    expect(GUEST_MEMBERS.filter((name) => kept.includes(name))).toEqual([]);
  });
});

describe('what stays of an erased guest', () => {
  const none: KeptCounts = {
    bookings: 0,
    applications: 0,
    cards: 0,
    payments: 0,
    entries: 0,
    sharedCards: 0,
  };

  it('is what there is, with its reason', () => {
    expect(keptOf(none)).toEqual([]);
    expect(keptOf({ ...none, sharedCards: 1, bookings: 2 })).toEqual([
      {
        what: 'stays: reference, dates, amounts',
        why: 'the books of the property need them',
        until: null,
      },
      {
        what: 'cards at the acquirer that another booking uses',
        why: 'that booking is not erased',
        until: null,
      },
    ]);
    const all = Object.keys(none).map((name) => [name, 1]);
    expect(keptOf(Object.fromEntries(all) as unknown as KeptCounts)).toHaveLength(6);
  });
});
