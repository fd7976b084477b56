import { describe, expect, it } from 'vitest';
import { attachCard, bookingOf, call, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { traits } from '../support/traits.ts';

const SAVE = '/booking/v1/create/manage-payments';
const DETAILS = '/booking/v1/get-details';

describe(`POST ${SAVE}`, () => {
  it('makes a booking and shows it as the interface says', async () => {
    const { status, json } = await call(SAVE, bookingOf('B-1', { totalCost: '600.5' }));
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      message: 'Booking details updated successfully.',
      booking: {
        bookingReference: 'B-1',
        site: 'demo.localhost',
        propertyName: 'Demo Property',
        arrival: '14-02-2027',
        departure: '17-02-2027',
        status: 'booked',
        totalCost: 600.5,
        currency: 'AUD',
        guest: { lastName: 'Nguyen', email: 'guest@hotel.com' },
        payment: null,
      },
    });
  });

  it('modifies it, cancels it and books it again', async () => {
    await call(SAVE, bookingOf('B-2'));
    const modified = await call(
      SAVE,
      bookingOf('B-2', { lastName: 'Ó Néill', departure: '20-02-2027' }),
    );
    expect(modified.json.booking).toMatchObject({
      departure: '20-02-2027',
      guest: { lastName: 'Ó Néill' },
    });
    const cancelled = await call(SAVE, bookingOf('B-2', { status: 'cancelled' }));
    expect(cancelled.json.booking.status).toBe('cancelled');
    const again = await call(SAVE, bookingOf('B-2'));
    expect(again.json.booking.status).toBe('booked');
  });

  it('takes costs of 0, unknown fields and every optional extra', async () => {
    const { status } = await call(
      SAVE,
      bookingOf('B-3', {
        totalCost: 0,
        firstNightCost: 0,
        somethingNew: { nested: true },
        firstName: 'An',
        phone: '+61 400 000 000',
        source: 'Direct',
        pmsConfirmationNumber: 'PMS-1',
        roomStays: [
          {
            roomTypeCode: 'STD',
            rateTypeCode: 'BAR',
            startDate: '2027-02-14',
            endDate: '2027-02-17',
            adults: 2,
            children: 0,
            amount: 600,
          },
        ],
      }),
    );
    expect(status).toBe(200);
  });

  it('loses by an empty text what was given, but no number of the PMS', async () => {
    const given = { firstName: 'An', phone: '+61 400 000 000', source: 'Direct', eta: '18:30' };
    const empty = { firstName: '', phone: '', source: '', eta: '' };
    const kept = async () =>
      testEnv.DB.prepare(
        "SELECT first_name, phone, source, eta, pms_confirmation_number FROM bookings WHERE reference = 'B-5'",
      ).first();
    await call(SAVE, bookingOf('B-5', { ...given, pmsConfirmationNumber: 'PMS-1' }));
    await call(SAVE, bookingOf('B-5'));
    expect(await kept()).toMatchObject({ first_name: 'An', phone: '+61 400 000 000' });
    expect(
      (await call(SAVE, bookingOf('B-5', { ...empty, pmsConfirmationNumber: '' }))).status,
    ).toBe(200);
    expect(await kept()).toEqual({
      first_name: null,
      phone: null,
      source: null,
      eta: null,
      pms_confirmation_number: 'PMS-1',
    });
  });

  it('shows the card in use once there is one', async () => {
    const token = await makeBooking('B-4', '378282246310005');
    const { json } = await call(SAVE, bookingOf('B-4'));
    expect(json.booking.payment).toEqual({
      cardHolderName: 'A Nguyen',
      cardNumber: 'XXXX-XXXXXX-XX005',
      cardType: 'Amex',
      cardExpiry: '12/2030',
      token,
      ...traits,
    });
  });

  it.each([
    [
      'departure on the arrival',
      { departure: '14-02-2027' },
      'departure',
      'departure_not_after_arrival',
    ],
    [
      'departure before the arrival',
      { departure: '13-02-2027' },
      'departure',
      'departure_not_after_arrival',
    ],
    ['a day that does not exist', { arrival: '29-02-2027' }, 'arrival', 'invalid_date'],
    ['another date format', { arrival: '2027-02-14' }, 'arrival', 'invalid_date'],
    ['a cost finer than a cent', { totalCost: 1.005 }, 'totalCost', 'amount_precision'],
    [
      'a reference with a control character',
      { reference: 'R\u0007' },
      'reference',
      'invalid_format',
    ],
    ['a reference of 65 characters', { reference: 'R'.repeat(65) }, 'reference', 'invalid_format'],
    ['a number for a reference', { reference: 7 }, 'reference', 'invalid_type'],
    ['an e-mail of 255 characters', { email: `${'a'.repeat(246)}@hotel.com` }, 'email', 'too_big'],
    ['a card number for a phone', { phone: '4242 4242 4242 4242' }, 'phone', 'card_number'],
    ['an ETA of 51 characters', { eta: 'x'.repeat(51) }, 'eta', 'too_big'],
    ['an ETA of two lines', { eta: 'late\nvery' }, 'eta', 'invalid_format'],
    ['a bell in the notes', { notes: 'a\u0007b' }, 'notes', 'invalid_format'],
    ['half a character in a fax', { guest: { fax: '\ud800' } }, 'guest.fax', 'invalid_format'],
    ['a number for the notes', { notes: 7 }, 'notes', 'invalid_type'],
    [
      'a card number in the guest’s address',
      { guest: { address: '4242\n4242 4242 4242' } },
      'guest.address',
      'card_number',
    ],
    ['a text for fromPms', { fromPms: 'yes' }, 'fromPms', 'invalid_type'],
    ['a year 0', { arrival: '14-02-0000' }, 'arrival', 'invalid_date'],
    ['a card number for a name', { lastName: '4242424242424242' }, 'lastName', 'card_number'],
    ['a last name of 101 characters', { lastName: 'x'.repeat(101) }, 'lastName', 'too_big'],
    [
      'a room stay that ends before it starts',
      {
        roomStays: [
          { roomTypeCode: 'A', rateTypeCode: 'B', startDate: '2027-02-14', endDate: '2027-02-14' },
        ],
      },
      'roomStays.0.endDate',
      'end_not_after_start',
    ],
  ])('refuses %s and changes nothing', async (_name, details, field, code) => {
    await call(SAVE, bookingOf('B-5'));
    const { status, json } = await call(
      SAVE,
      bookingOf('B-5', { lastName: 'Changed', ...details }),
    );
    expect(status).toBe(422);
    expect(json.errors).toEqual([{ field, code, message: expect.any(String) }]);
    const { json: details5 } = await call(DETAILS, { reference: 'B-5' });
    expect(details5.booking.guest.lastName).toBe('Nguyen');
  });

  it('names the impossible stay beside the other faults', async () => {
    const { json } = await call(SAVE, bookingOf('B-6', { departure: '14-02-2027', email: 'x' }));
    expect(json.errors.map((fault: { field: string }) => fault.field).toSorted()).toEqual([
      'departure',
      'email',
    ]);
  });

  it('keeps references apart that only look alike in a name', async () => {
    await call(SAVE, bookingOf('a/b', { lastName: 'One' }));
    await call(SAVE, bookingOf('a%2Fb', { lastName: 'Two' }));
    await call(SAVE, bookingOf('A/B', { lastName: 'Three' }));
    const names = await Promise.all(
      ['a/b', 'a%2Fb', 'A/B'].map(
        async (reference) => (await call(DETAILS, { reference })).json.booking.guest.lastName,
      ),
    );
    expect(names).toEqual(['One', 'Two', 'Three']);
  });

  it('loses no change of ten made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call(SAVE, bookingOf('B-7', { totalCost: 100 + index })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const { json } = await call(DETAILS, { reference: 'B-7' });
    expect(json.booking.totalCost).toBeGreaterThanOrEqual(100);
  });
});

describe('currencies', () => {
  it('set the decimals of every amount: JPY has none, KWD three', async () => {
    const yen = await makeProperty('tokyo', { currency: 'JPY', timeZone: 'Asia/Tokyo' });
    const dinar = await makeProperty('kuwait', { currency: 'KWD', timeZone: 'Asia/Kuwait' });
    const fine = await call(SAVE, bookingOf('Y-1', { totalCost: 1000.5 }), { token: yen });
    expect(fine.json.code).toBe('amount_precision');
    const whole = await call(SAVE, bookingOf('Y-1', { totalCost: 1000 }), { token: yen });
    expect(whole.json.booking).toMatchObject({ totalCost: 1000, currency: 'JPY' });
    const thousandths = await call(SAVE, bookingOf('K-1', { totalCost: 1.234 }), { token: dinar });
    expect(thousandths.json.booking).toMatchObject({ totalCost: 1.234, currency: 'KWD' });
  });
});

describe(`POST ${DETAILS}`, () => {
  it('shows every card with the one in use first, and an opaque address', async () => {
    const first = await makeBooking('D-1', '4111111111111111');
    const second = await attachCard('D-1', '5555555555554444');
    const { json } = await call(DETAILS, { reference: 'D-1' });
    expect(json.booking.payment.map(({ token }: { token: string }) => token)).toEqual([
      second,
      first,
    ]);
    expect(json.booking.payment[1]).toEqual({
      cardHolderName: 'A Nguyen',
      cardNumber: 'XXXX-XXXX-XXXX-X111',
      cardType: 'Visa',
      cardExpiry: '12/2030',
      token: first,
      ...traits,
    });
    expect(json.booking.url).toMatch(/^http:\/\/localhost\/guest\/v1\/payments\?[\w.-]+$/);
    expect(json.booking.url).not.toContain('D-1');
  });

  it('has an empty list of cards for a booking without one', async () => {
    await makeBooking('D-2');
    const { json } = await call(DETAILS, { reference: 'D-2' });
    expect(json.booking.payment).toEqual([]);
    expect(Object.keys(json.booking).toSorted()).toEqual([
      'arrival',
      'bookingReference',
      'currency',
      'departure',
      'guest',
      'payment',
      'propertyName',
      'site',
      'status',
      'totalCost',
      'url',
    ]);
  });
});
