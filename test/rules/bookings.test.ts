import { describe, expect, test } from 'vitest';
import { deliveryView } from '../../src/events/views.ts';
import {
  lookUpWordsOf,
  searchWordsOf,
  wordsOfLastName,
} from '../../src/records/bookings/rules/searchWords.ts';
import {
  type BookingDetails,
  bookingEvent,
  bookingRow,
  busy,
  cancelledRow,
  cardInUse,
  cardsInOrder,
  endsWithBooking,
  moving,
  precedesCancellation,
  stillRunning,
  uncertain,
} from '../../src/records/bookings/rules.ts';
import {
  bookingDetailsView,
  eventBookingSchema,
  eventBookingView,
  savedBookingView,
} from '../../src/records/bookings/views.ts';
import { cardView } from '../../src/records/cards/views.ts';
import { packedSnapshot } from '../../src/records/history/rules/snapshots.ts';
import type { BookingRow } from '../../src/schema/bookingTables.ts';
import { bookedRow, cardRow, propertyRow } from './rows.ts';

const details: BookingDetails = {
  status: 'booked',
  arrival: '2027-02-14',
  departure: '2027-02-17',
  email: 'guest@hotel.com',
  lastName: 'Nguyen',
  totalCostMinor: 60_000,
  firstNightCostMinor: 20_000,
};

const extras = {
  firstName: 'An',
  phone: '+61 8 9123 4567',
  source: 'Direct',
  pmsConfirmationNumber: 'PMS-7',
  roomStays: [
    { roomTypeCode: 'DBL', rateTypeCode: 'BAR', startDate: '2027-02-14', endDate: '2027-02-17' },
  ],
};

describe('the row of a booking', () => {
  test('starts with the property’s currency, no card, no extras, and both times now', () => {
    const row = bookingRow(
      propertyRow({ id: 'tokyo', currency: 'JPY', version: 3 }),
      null,
      'RES-9',
      details,
      5_000,
    );
    expect(row).toEqual({
      ...details,
      propertyId: 'tokyo',
      reference: 'RES-9',
      searchWords: ' res9 nguyen',
      erasedAtMs: null,
      currency: 'JPY',
      firstName: null,
      phone: null,
      source: null,
      pmsConfirmationNumber: null,
      roomStays: null,
      eta: null,
      notes: null,
      guest: null,
      fromPms: false,
      knownTotalMinor: 60_000,
      cardToken: null,
      linkVersion: 1,
      version: 1,
      propertyVersion: 3,
      pendingCancelledVersion: null,
      cancellationPolicy: null,
      createdAtMs: 5_000,
      updatedAtMs: 5_000,
    });
  });

  test('is from the PMS where the save or the property says so', () => {
    const fromPms = (property: object, saved: object) =>
      bookingRow(propertyRow(property), null, 'RES-9', { ...details, ...saved }, 1).fromPms;
    expect(fromPms({}, { fromPms: true })).toBe(true);
    expect(fromPms({ bookingsFromPms: true }, {})).toBe(true);
    expect(fromPms({}, { fromPms: false })).toBe(false);
  });

  test('keeps of the guest what a save does not say', () => {
    const before = bookedRow({ guest: { prefix: 'Ms', city: 'Perth' }, eta: 'late', notes: 'x' });
    const change = { ...details, guest: { city: '' }, notes: '' };
    expect(bookingRow(propertyRow(), before, 'RES-1', change, 9)).toMatchObject({
      guest: { prefix: 'Ms', city: '' },
      eta: 'late',
      notes: null,
    });
  });

  test('keeps, when it is changed, what the change does not say, and counts the change', () => {
    const before = bookedRow({
      ...extras,
      currency: 'EUR',
      cardToken: 'a',
      linkVersion: 4,
      version: 7,
    });
    const change = { ...details, status: 'cancelled' as const, lastName: 'Tran' };
    expect(bookingRow(propertyRow(), before, 'RES-1', change, 9_000)).toEqual({
      ...before,
      ...change,
      searchWords: ' res1 61891234567 an tran',
      knownTotalMinor: 60_000,
      version: 8,
      propertyVersion: 1,
      pendingCancelledVersion: 8,
      updatedAtMs: 9_000,
    });
  });

  test('remembers the last total that was known', () => {
    const known = (before: number[], now: number) => {
      const [totalCostMinor = 0, knownTotalMinor = 0] = before;
      const booked = bookedRow({ totalCostMinor, knownTotalMinor });
      const change = { ...details, totalCostMinor: now };
      return bookingRow(propertyRow(), booked, 'RES-1', change, 9_000).knownTotalMinor;
    };
    expect([known([500, 500], 700), known([500, 500], 0), known([0, 500], 0)]).toEqual([
      700, 500, 500,
    ]);
  });

  test('takes every extra that a change says', () => {
    const before = bookedRow({ firstName: 'Bo', phone: '1', source: 'Agency', roomStays: [] });
    const row = bookingRow(propertyRow(), before, 'RES-1', { ...details, ...extras }, 9_000);
    expect(row).toMatchObject(extras);
  });
});

describe('the card that a booking uses', () => {
  const cards = [cardRow('newest'), cardRow('middle'), cardRow('oldest')];

  test('is the one that the booking names, which comes first of all, then the newest', () => {
    const state = { booking: bookedRow({ cardToken: 'oldest' }), cards };
    expect(cardInUse(state)?.token).toBe('oldest');
    expect(cardsInOrder(state).map((card) => card.token)).toEqual(['oldest', 'newest', 'middle']);
  });

  test.each([null, 'gone'])('is none when the booking names %s', (cardToken) => {
    const state = { booking: bookedRow({ cardToken }), cards };
    expect(cardInUse(state)).toBeNull();
    expect(cardsInOrder(state).map((card) => card.token)).toEqual(['newest', 'middle', 'oldest']);
  });

  test('leaves the given order of cards as it was', () => {
    cardsInOrder({ booking: bookedRow({ cardToken: 'oldest' }), cards });
    expect(cards.map((card) => card.token)).toEqual(['newest', 'middle', 'oldest']);
  });
});

describe('the views of a booking', () => {
  const face = {
    bookingReference: 'RES-1',
    site: 'demo.localhost',
    propertyName: 'Demo Property',
    arrival: '14-02-2027',
    departure: '17-02-2027',
    status: 'booked',
    totalCost: 980.5,
    currency: 'AUD',
    guest: { lastName: 'Nguyen', email: 'guest@hotel.com' },
  };

  test('without a card show null when saved and an empty list in its details', () => {
    const state = { property: propertyRow(), booking: bookedRow(), cards: [] };
    expect(savedBookingView(state)).toEqual({ ...face, payment: null });
    const url = 'https://pay.hotel.com/guest';
    expect(bookingDetailsView(state, url)).toEqual({ ...face, payment: [], url });
  });

  test('show the card in use when saved, and every card with that one first in its details', () => {
    const cards = [cardRow('b'), cardRow('a', { brand: 'amex', masked: 'XXXX-XXXXXX-XX005' })];
    const state = { property: propertyRow(), booking: bookedRow({ cardToken: 'a' }), cards };
    const amex = {
      cardHolderName: 'A Nguyen',
      cardNumber: 'XXXX-XXXXXX-XX005',
      cardType: 'Amex',
      cardExpiry: '11/2026',
      token: 'a',
      funding: 'unknown',
      issuerCountry: null,
    };
    expect(savedBookingView(state).payment).toEqual(amex);
    const { payment } = bookingDetailsView(state, '');
    expect(payment[0]).toEqual(amex);
    expect(payment.map((card) => card.token)).toEqual(['a', 'b']);
  });

  test.each([
    ['JPY', 98_050, 98_050],
    ['AUD', 98_050, 980.5],
    ['KWD', 98_050, 98.05],
    ['AUD', 0, 0],
  ])('in %s show %i minor units as %f', (currency, totalCostMinor, totalCost) => {
    const booking = bookedRow({ currency, totalCostMinor });
    const view = savedBookingView({ property: propertyRow(), booking, cards: [] });
    expect(view).toMatchObject({ currency, totalCost });
  });

  test('show the booking’s own currency, also after the property’s has changed', () => {
    const property = propertyRow({ currency: 'USD' });
    const view = savedBookingView({ property, booking: bookedRow(), cards: [] });
    expect(view.currency).toBe('AUD');
  });
});

describe('the view of a card', () => {
  test('shows a dash for a holder that nobody named, and a month with two digits', () => {
    const card = cardRow('a', { holderName: null, expiryMonth: 3, expiryYear: 2030 });
    const view = cardView(card, propertyRow());
    expect(view).toEqual({
      cardHolderName: '-',
      cardNumber: 'XXXX-XXXX-XXXX-X111',
      cardType: 'Visa',
      cardExpiry: '03/2030',
      token: 'a',
      funding: 'unknown',
      issuerCountry: null,
    });
  });

  test('shows nothing of the vault', () => {
    expect(JSON.stringify(cardView(cardRow('a'), propertyRow()))).not.toContain('vault_a');
  });
});

describe('a cancellation', () => {
  const saving = (before: BookingRow, status: BookingRow['status'], keeps: boolean) => {
    const property = propertyRow({ keepSchedulesOnCancellation: keeps });
    return bookingRow(property, before, 'RES-1', { ...details, status }, 9);
  };

  test.each([
    ['booked', 'cancelled', false, 8],
    ['booked', 'cancelled', true, null],
    ['booked', 'booked', false, null],
    ['cancelled', 'cancelled', false, null],
    ['cancelled', 'booked', false, null],
  ] as const)(
    'decides once what ends with the booking: %s, then %s, kept: %s',
    (before, status, keeps, ends) => {
      const row = saving(bookedRow({ status: before, version: 7 }), status, keeps);
      expect(row.pendingCancelledVersion).toBe(ends);
    },
  );

  test('of a booking that is new, with a guest and without a total, ends it too', () => {
    const guest = { city: 'Perth' };
    const given = { ...details, status: 'cancelled', totalCostMinor: 0, guest } as const;
    expect(bookingRow(propertyRow(), null, 'RES-9', given, 9)).toMatchObject({
      pendingCancelledVersion: 1,
      knownTotalMinor: 0,
      guest,
    });
  });

  test('stays decided, and ends what was made before it', () => {
    const cancelled = saving(bookedRow({ version: 7 }), 'cancelled', false);
    const again = saving(saving(cancelled, 'cancelled', true), 'booked', true);
    const ends = [7, 8].map((bookingVersion) =>
      endsWithBooking({ booking: again }, { bookingVersion }),
    );
    expect([again.pendingCancelledVersion, ...ends]).toEqual([8, true, false]);
  });
});

describe('a booking that a settlement cancels', () => {
  test('ends what it has open, and its PMS learns of it', () => {
    const booking = bookedRow({ version: 4, fromPms: true, createdAtMs: 1_000 });
    expect(
      cancelledRow({ booking, property: propertyRow({ version: 3 }), cards: [] }, 9_000),
    ).toEqual({
      ...booking,
      status: 'cancelled',
      fromPms: false,
      version: 5,
      propertyVersion: 3,
      pendingCancelledVersion: 5,
      updatedAtMs: 9_000,
    });
  });
});

describe('a payment', () => {
  test.each([
    ['of a booking that is booked again', 'booked', 5, 4, false],
    ['before the cancellation', 'cancelled', 5, 4, true],
    ['after the cancellation', 'cancelled', 5, 5, false],
    ['of a booking whose schedules its property kept', 'cancelled', null, 9, true],
  ] as const)('%s', (_, status, pendingCancelledVersion, bookingVersion, precedes) => {
    const booking = bookedRow({ status, pendingCancelledVersion });
    expect(precedesCancellation({ booking }, { bookingVersion })).toBe(precedes);
  });
});

describe('a save', () => {
  const before = bookedRow();
  const cancelled = bookedRow({ status: 'cancelled' });

  test.each<[string, BookingRow | null, Partial<BookingRow>, string | null]>([
    ['of a new booking', null, {}, 'booking.saved'],
    ['of a new booking that is cancelled', null, { status: 'cancelled' }, 'booking.cancelled'],
    ['that cancels', before, { status: 'cancelled', lastName: 'Li' }, 'booking.cancelled'],
    ['of a cancelled booking', cancelled, { status: 'cancelled', notes: 'x' }, 'booking.saved'],
    ['that books again', cancelled, {}, 'booking.saved'],
    ['that changes a detail', before, { guest: { city: 'Perth' } }, 'booking.saved'],
    ['of the number of its PMS alone', before, { pmsConfirmationNumber: 'P-7' }, null],
    [
      'of its number and a detail',
      before,
      { pmsConfirmationNumber: 'P-7', eta: '15:00' },
      'booking.saved',
    ],
    ['of what is not for its PMS', before, { version: 2, cardToken: 'card' }, null],
  ])('%s', (_, was, changes, event) => {
    expect(bookingEvent(was, bookedRow(changes))).toBe(event);
  });
});

describe('a property that is moved', () => {
  test('says when it takes changes again', () => {
    expect(moving({ retryAfterSeconds: 7 })).toEqual({
      code: 'busy',
      detail: 'The property is being moved. Nothing was recorded; try again.',
      retryAfterSeconds: 7,
    });
  });
});

describe('a request that was begun', () => {
  test('is sent again later while it runs, and is looked at when nobody knows how it ended', () => {
    expect(stillRunning()).toMatchObject({ code: 'busy' });
    expect(stillRunning().retryAfterSeconds).toBeGreaterThan(busy().retryAfterSeconds ?? 0);
    // Nothing invites to a new attempt that might do it twice.
    expect(Object.keys(uncertain())).toEqual(['code', 'detail']);
    expect(uncertain().code).toBe('outcome_unknown');
  });
});

describe('a busy booking', () => {
  test('says when to try again', () => {
    expect(busy()).toMatchObject({ code: 'busy' });
    expect(busy().retryAfterSeconds).toBeGreaterThan(0);
  });
});

/** The member by which events show each detail of a booking; null for what names a person, is long, or concerns the PMS alone. */
const memberOfDetail = {
  status: 'status',
  arrival: 'arrival',
  departure: 'departure',
  totalCostMinor: 'totalCost',
  firstNightCostMinor: null,
  lastName: null,
  email: null,
  firstName: null,
  phone: null,
  guest: null,
  source: null,
  pmsConfirmationNumber: null,
  roomStays: null,
  eta: null,
  notes: null,
  fromPms: null,
  cancellationPolicy: null,
} as const satisfies Record<keyof BookingDetails, keyof typeof eventBookingSchema.shape | null>;

describe('a booking in an event', () => {
  const shown = eventBookingView({ property: propertyRow(), booking: bookedRow() }, null);

  test.each(Object.entries(memberOfDetail))('shows %s as %s', (_, member) => {
    if (member === null) return;
    expect(eventBookingSchema.shape).toHaveProperty(member);
    expect(shown).toHaveProperty(member);
  });

  test('names no person', () => {
    const { firstName, lastName, email, phone } = bookedRow(extras);
    const text = JSON.stringify(
      eventBookingView({ property: propertyRow(), booking: bookedRow(extras) }, null),
    );
    for (const named of [firstName, lastName, email, phone]) expect(text).not.toContain(named);
  });

  test('reads as version 0.2 kept it, with no member that came later', () => {
    const kept = { atMs: 1, chargeId: null, gatewayReference: null, subjectId: '' };
    const entry = { ...kept, bookingReference: 'RES-1' };
    const booking = {
      bookingReference: 'RES-1',
      site: 'demo.localhost',
      propertyName: 'Demo',
      arrival: '14-02-2027',
      departure: '17-02-2027',
      status: 'booked',
      totalCost: 600,
      currency: 'AUD',
      payment: {
        cardNumber: '4242',
        cardType: 'visa',
        token: 't',
        funding: 'credit',
        issuerCountry: 'US',
      },
      createdAt: '2026-11-01T10:00:00+08:00',
      changedAt: '2026-11-01T10:00:00+08:00',
    };
    const timestamp = '2026-11-01T10:00:00+08:00';
    const event = {
      ...entry,
      propertyId: 'demo',
      eventId: 'evt_1_0123456789abcdef',
      sequence: 1,
      type: 'booking.saved',
      newContactId: null,
      snapshot: packedSnapshot({ timestamp, booking }, entry),
    };
    const data = { property: 'demo', reference: 'RES-1', sequence: 1, booking };
    expect(deliveryView(event)).toEqual({ type: 'booking.saved', timestamp, data });
  });
});

describe('the words that find a booking', () => {
  test.each(['Nguyen', "O'Brien-Smith", 'van der Berg', '1', 'RES-9'])(
    'have one of the last name %s, however many the first name has',
    (lastName) => {
      const booking = { reference: 'RES-9', phone: null, lastName };
      const firstName = Array.from({ length: 40 }, (_, at) => `x${at}`).join(' ');
      const searchWords = searchWordsOf({ ...booking, firstName });
      const found = lookUpWordsOf({ ...booking, searchWords });
      expect(found.length).toBeLessThanOrEqual(16);
      expect(wordsOfLastName(lastName).some((word) => found.includes(word))).toBe(true);
    },
  );
});
