import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_AMOUNT_MINOR } from '../../src/core/money.ts';
import { grossUp } from '../../src/money/pricing/fees.ts';
import { jsonBody } from '../../src/pms/rules/envelope.ts';
import {
  bookingMessage,
  cardMessage,
  chargebackMessage,
  correctionMessage,
  paymentMessage,
  refundMessage,
  reversalMessage,
  withoutGuestIn,
} from '../../src/pms/rules/messages.ts';
import { bookedRow, cardRow, disputeRow, propertyRow, refundRow, transactionRow } from './rows.ts';

const property = propertyRow();

/** The rooms and rates as the PMS told them. */
const roomTypes = [
  {
    id: 1,
    code: 'STD',
    name: 'Standard Studio',
    rateTypes: [{ code: 'BAR', name: 'Best available' }],
  },
  { id: 2, code: 'DLX', name: 'Deluxe Studio', rateTypes: [] },
];
const channel = { property, roomTypes };
const CREATED_MS = Date.UTC(2027, 0, 5, 2, 0, 1, 999);

/** A booking of which everything is known. */
const full = bookedRow({
  createdAtMs: CREATED_MS,
  updatedAtMs: CREATED_MS + 86_400_000,
  firstName: 'Anh',
  phone: '+61 8 5550 0000',
  source: 'Hotel Site',
  pmsConfirmationNumber: 'PMS-77',
  cardToken: 'visa-card',
  eta: 'around 18:30',
  notes: 'Quiet room,\nplease',
  guest: {
    prefix: 'Ms',
    middleNames: 'Thi Lan',
    suffix: 'PhD',
    company: 'Nguyen Pty Ltd',
    mobile: '+61 400 000 000',
    fax: '+61 8 5550 0001',
    address: '1 High Street\nUnit 2',
    city: 'Perth',
    state: 'WA',
    postCode: '6000',
    country: 'Australia',
  },
  roomStays: [
    {
      roomTypeCode: 'STD',
      rateTypeCode: 'BAR',
      startDate: '2027-02-14',
      endDate: '2027-02-16',
      adults: 2,
      children: 0,
      amountMinor: 60_000,
    },
    { roomTypeCode: 'DLX', rateTypeCode: 'NRF', startDate: '2027-02-16', endDate: '2027-02-17' },
  ],
});

/** The booking as the PMS is told of it, besides its confirmation number. */
const told = {
  Reference: 'RES-1',
  ChannelName: 'Hotel Site',
  ChannelID: 'demo',
  Created: '2027-01-05T10:00:01+08:00',
  ArrivalDate: '2027-02-14',
  DepartureDate: '2027-02-17',
  ETA: 'around 18:30',
  Notes: 'Quiet room,\nplease',
  Guest: {
    Prefix: 'Ms',
    FirstName: 'Anh',
    MiddleNames: 'Thi Lan',
    LastName: 'Nguyen',
    Suffix: 'PhD',
    Company: 'Nguyen Pty Ltd',
    Phone: '+61 8 5550 0000',
    Mobile: '+61 400 000 000',
    Fax: '+61 8 5550 0001',
    Email: 'guest@hotel.com',
    Address: '1 High Street\nUnit 2',
    City: 'Perth',
    State: 'WA',
    PostCode: '6000',
    Country: 'Australia',
  },
  RoomStays: [
    {
      RoomTypeCode: 'STD',
      RoomTypeName: 'Standard Studio',
      RateTypeCode: 'BAR',
      RateTypeName: 'Best available',
      StartDate: '2027-02-14',
      EndDate: '2027-02-16',
      Adults: 2,
      Children: 0,
      Amount: '600.00',
      Currency: 'AUD',
    },
    {
      RoomTypeCode: 'DLX',
      RoomTypeName: 'Deluxe Studio',
      RateTypeCode: 'NRF',
      RateTypeName: '',
      StartDate: '2027-02-16',
      EndDate: '2027-02-17',
      Adults: null,
      Children: null,
      Amount: '',
      Currency: 'AUD',
    },
  ],
};

/** The same, as a modification tells it. */
const { Reference, ...others } = told;
const changed = { Reference, PMSConfirmationNumber: 'PMS-77', ...others };

const cancelled = { ...full, status: 'cancelled' as const };

/** The members of a message's one part. */
function partOf(message: ReturnType<typeof bookingMessage>, name: string) {
  const part = message?.payload[name];
  expect(Object.keys(message?.payload ?? {})).toEqual([name]);
  return part as Record<string, unknown>;
}

describe('what the PMS is told of a booking', () => {
  it.each([
    ['made', null, full, 'PushBooking', { BookingData: told }],
    ['changed', bookedRow(), full, 'PushModification', { BookingData: changed }],
    ['made again after it was cancelled', cancelled, full, 'PushBooking', { BookingData: told }],
    [
      'cancelled',
      full,
      cancelled,
      'PushCancellation',
      { CancellationData: { Reference: 'RES-1', PMSConfirmationNumber: 'PMS-77' } },
    ],
    [
      'first seen when it was cancelled already',
      null,
      { ...cancelled, pmsConfirmationNumber: null },
      'PushCancellation',
      { CancellationData: { Reference: 'RES-1', PMSConfirmationNumber: '' } },
    ],
  ])('that was %s is the whole of it', (_, before, after, type, payload) => {
    const message = bookingMessage(channel, before, after);
    expect(message).toStrictEqual({ type, payload });
    // The members come in the documented order, too.
    expect(JSON.stringify(message)).toBe(JSON.stringify({ type, payload }));
  });

  it('that was cancelled before and still is, is nothing, whatever else changed', () => {
    expect(bookingMessage(channel, cancelled, cancelled)).toBeNull();
    expect(bookingMessage(channel, bookedRow({ status: 'cancelled' }), cancelled)).toBeNull();
  });

  it('of which little is known leaves open what is not known', () => {
    const bare = partOf(bookingMessage(channel, null, bookedRow()), 'BookingData');
    expect(bare).toStrictEqual({
      ...told,
      ChannelName: 'demo.localhost',
      Created: '1970-01-01T08:00:01+08:00',
      ETA: '',
      Notes: '',
      Guest: {
        ...Object.fromEntries(Object.keys(told.Guest).map((name) => [name, ''])),
        LastName: 'Nguyen',
        Email: 'guest@hotel.com',
      },
      RoomStays: [],
    });
    const again = partOf(bookingMessage(channel, full, bookedRow()), 'BookingData');
    expect(again).toHaveProperty('PMSConfirmationNumber', '');
  });

  it.each([
    ['AUD', 60_000, '600.00'],
    ['AUD', 0, '0.00'],
    ['JPY', 60_000, '60000'],
    ['KWD', 60_005, '60.005'],
  ])(
    'writes the price of a stay in %s with its decimals: %i is %s',
    (currency, amountMinor, Amount) => {
      const stay = {
        roomTypeCode: 'STD',
        rateTypeCode: 'BAR',
        startDate: '2027-02-14',
        endDate: '2027-02-17',
        adults: 0,
        amountMinor,
      };
      const message = bookingMessage(channel, null, bookedRow({ currency, roomStays: [stay] }));
      expect(partOf(message, 'BookingData')['RoomStays']).toStrictEqual([
        {
          RoomTypeCode: 'STD',
          RoomTypeName: 'Standard Studio',
          RateTypeCode: 'BAR',
          RateTypeName: 'Best available',
          StartDate: '2027-02-14',
          EndDate: '2027-02-17',
          Adults: 0,
          Children: null,
          Amount,
          Currency: currency,
        },
      ]);
    },
  );

  it('that was saved again as it was, is nothing', () => {
    const again = { ...full, version: 2, propertyVersion: 2, updatedAtMs: 9e12 };
    expect(bookingMessage(channel, full, again)).toBeNull();
    const changes = [
      { lastName: 'Tran' },
      { totalCostMinor: 1 },
      { eta: 'late' },
      { notes: '' },
      { guest: { city: 'Albany' } },
      { roomStays: [] },
      { pmsConfirmationNumber: 'PMS-78' },
    ];
    for (const change of changes) {
      const message = bookingMessage(channel, full, { ...again, ...change });
      expect([change, message?.type]).toEqual([change, 'PushModification']);
    }
  });

  it('that the PMS told, is nothing; the first save of this side is a modification', () => {
    const theirs = { ...full, fromPms: true };
    for (const after of [theirs, { ...cancelled, fromPms: true }]) {
      for (const before of [null, bookedRow(), cancelled]) {
        expect(bookingMessage(channel, before, after)).toBeNull();
      }
    }
    expect(bookingMessage(channel, theirs, full)?.type).toBe('PushModification');
    expect(bookingMessage(channel, { ...cancelled, fromPms: true }, full)?.type).toBe(
      'PushModification',
    );
    expect(bookingMessage(channel, theirs, cancelled)?.type).toBe('PushCancellation');
    expect(bookingMessage(channel, { ...cancelled, fromPms: true }, cancelled)).toBeNull();
  });

  it('names the property by its channel code', () => {
    const coded = { property: propertyRow({ channelCode: 'WEB-7' }), roomTypes };
    expect(partOf(bookingMessage(coded, null, full), 'BookingData')).toMatchObject({
      ChannelID: 'WEB-7',
      ChannelName: 'Hotel Site',
    });
  });

  it('whose guest entered a card by a link, has its mask and brand, whatever the brand', () => {
    const amex = { brand: 'amex', last4: '0005', masked: 'XXXX-XXXXXX-XX005' };
    const card = cardRow('card', { ...amex, enteredBy: 'guest' });
    const message = cardMessage(channel, full, card);
    expect(message?.type).toBe('PushModification');
    expect(partOf(message, 'BookingData')).toStrictEqual({
      ...changed,
      Guest: { ...told.Guest, CardMask: 'XXXXXXXXXXXX0005', CardType: 'amex' },
    });
    expect(cardMessage(channel, cancelled, card)).toBeNull();
    expect(cardMessage(channel, full, cardRow('card'))).toBeNull();
    const asked = { ...card, enteredBy: cardRow('card').enteredBy, requestId: 'request-1' };
    expect(cardMessage(channel, full, asked)).toStrictEqual(message);
  });

  it('holds nothing of its card', () => {
    expect(JSON.stringify(bookingMessage(channel, null, full))).not.toMatch(/card|visa/i);
  });
});

describe('a message without its guest', () => {
  it('keeps the stay, the money and the card, and the names of all members', () => {
    const card = cardRow('card', { enteredBy: 'guest' });
    const payload = withoutGuestIn(cardMessage(channel, full, card)?.payload ?? {});
    const nobody = Object.fromEntries(Object.keys(told.Guest).map((name) => [name, '']));
    expect(payload).toStrictEqual({
      BookingData: {
        ...changed,
        ETA: '',
        Notes: '',
        Guest: { ...nobody, CardMask: 'XXXXXXXXXXXX1111', CardType: 'visa' },
      },
    });
    const { TransactionData } = withoutGuestIn(paymentMessage(of, paid).payload);
    expect(TransactionData).toStrictEqual({ ...toldOfPayment, Description: '' });
  });

  it('is the same where it tells of none', () => {
    const strange = { Count: 2, Nothing: null, Data: { Guest: 'none', List: [1] } };
    expect(withoutGuestIn(strange)).toStrictEqual(strange);
  });
});

const SETTLED_MS = Date.UTC(2026, 9, 1, 12, 0, 0, 1);

/** 150.00 at 3 %, and 0.33 besides. */
const priced = grossUp(15_000, { cardFeeBasisPoints: 300, transactionFeeMinor: 33 });

const paid = transactionRow({
  ...priced,
  status: 'Accepted',
  gateway: 'stripe',
  gatewayReference: 'ch_1',
  description: 'First night',
  completedAtMs: SETTLED_MS,
});

const sentBack = refundRow({
  gatewayReference: 're_1',
  description: 'Left early',
  completedAtMs: SETTLED_MS,
});

const of = { property, booking: { source: 'Hotel Site' }, card: cardRow('visa-card') };

/** What the PMS is told of the payment above. */
const toldOfPayment = {
  TransactionID: '41',
  RelatedReference: 'RES-1',
  RelatedSource: 'Hotel Site',
  GatewayID: 'stripe',
  GatewayReference: 'ch_1',
  CardMask: 'XXXXXXXXXXXX1111',
  CardType: 'visa',
  Type: 'Payment',
  Currency: 'AUD',
  CardFee: '4.65',
  TransactionFee: '0.33',
  AmountNet: '150.00',
  AmountGross: '154.98',
  ProcessedTime: '2026-10-01T20:00:00+08:00',
  Description: 'First night',
};

const toldOfRefund = {
  ...toldOfPayment,
  TransactionID: '42',
  GatewayReference: 're_1',
  Type: 'Refund',
  CardFee: '0.00',
  TransactionFee: '0.00',
  AmountNet: '20.00',
  AmountGross: '20.00',
  Description: 'Left early',
};

const toldOfReversal = {
  ...toldOfRefund,
  TransactionID: '57',
  AmountNet: '-20.00',
  AmountGross: '-20.00',
  Description: 'Reversal of failed refund',
};

/** An amount text as minor units, without floating point. */
function minorOf(text: unknown): bigint {
  expect(text).toMatch(/^-?\d+(\.\d{2,4})?$/);
  return BigInt(String(text).replace('.', ''));
}

describe('what the PMS is told of money', () => {
  it.each([
    ['a charge', () => paymentMessage(of, paid), toldOfPayment],
    ['a refund', () => refundMessage(of, sentBack, 'stripe'), toldOfRefund],
    [
      'a refund that failed late',
      () => reversalMessage(of, sentBack, 'stripe', 57),
      toldOfReversal,
    ],
  ])('after %s is the whole of it', (_, told, TransactionData) => {
    const message = told();
    expect(message).toStrictEqual({ type: 'PushTransaction', payload: { TransactionData } });
    expect(JSON.stringify(message.payload)).toBe(JSON.stringify({ TransactionData }));
  });

  it('after a correction of a charge is the difference, fees apart', () => {
    const terms = { cardFeeBasisPoints: 300, transactionFeeMinor: 33 };
    const less = { ...paid, ...grossUp(10_000, terms), completedAtMs: SETTLED_MS + 60_000 };
    const TransactionData = {
      ...toldOfPayment,
      TransactionID: '58',
      CardFee: '-1.55',
      TransactionFee: '0.00',
      AmountNet: '-50.00',
      AmountGross: '-51.55',
      ProcessedTime: '2026-10-01T20:01:00+08:00',
      Description: 'Correction of the amount',
    };
    expect(partOf(correctionMessage(of, paid, less, 58), 'TransactionData')).toStrictEqual(
      TransactionData,
    );
    const otherFee = { ...paid, transactionFeeMinor: 50 };
    expect(partOf(correctionMessage(of, paid, otherFee, 58), 'TransactionData')).toMatchObject({
      CardFee: '0.00',
      TransactionFee: '0.17',
      AmountNet: '0.00',
    });
    const never = { ...less, completedAtMs: null, createdAtMs: SETTLED_MS };
    expect(partOf(correctionMessage(of, paid, never, 58), 'TransactionData')).toHaveProperty(
      'ProcessedTime',
      '2026-10-01T20:00:00+08:00',
    );
  });

  it.each([
    ['withdrew', -2_000, { AmountNet: '20.00', AmountGross: '20.00', Description: 'Chargeback' }],
    [
      'gave back',
      2_000,
      { AmountNet: '-20.00', AmountGross: '-20.00', Description: 'Chargeback reversed' },
    ],
  ])('after a bank %s money in a dispute is a refund of the dispute', (_, amountMinor, amounts) => {
    const dispute = disputeRow({ id: 'dp_1', currency: 'AUD' });
    const movement = { amountMinor, atMs: SETTLED_MS };
    const message = chargebackMessage(of, paid, { dispute, movement }, 42);
    expect(partOf(message, 'TransactionData')).toStrictEqual({
      ...toldOfRefund,
      GatewayReference: 'dp_1',
      ...amounts,
    });
  });

  it('leaves open what is not known', () => {
    const nothing = { property, booking: { source: null }, card: null };
    const open = { RelatedSource: 'demo', GatewayReference: '', CardMask: '', CardType: '' };
    const charge = { ...paid, gatewayReference: null, description: null };
    expect(partOf(paymentMessage(nothing, charge), 'TransactionData')).toStrictEqual({
      ...toldOfPayment,
      ...open,
      Description: '',
    });
    const refund = { ...sentBack, gatewayReference: null, description: null };
    expect(partOf(refundMessage(nothing, refund, 'stripe'), 'TransactionData')).toStrictEqual({
      ...toldOfRefund,
      ...open,
      Description: '',
    });
    expect(partOf(reversalMessage(nothing, refund, 'stripe', 57), 'TransactionData')).toStrictEqual(
      {
        ...toldOfReversal,
        ...open,
      },
    );
  });

  it('has the time of the record where it was never settled', () => {
    const never = { completedAtMs: null, createdAtMs: SETTLED_MS + 1_000 };
    const ProcessedTime = '2026-10-01T20:00:01+08:00';
    for (const message of [
      paymentMessage(of, { ...paid, ...never }),
      refundMessage(of, { ...sentBack, ...never }, 'stripe'),
      reversalMessage(of, { ...sentBack, ...never }, 'stripe', 57),
    ]) {
      expect(partOf(message, 'TransactionData')).toHaveProperty('ProcessedTime', ProcessedTime);
    }
  });

  it.each([
    ['AUD', '4.65', '0.33', '150.00', '154.98', '0.00', '-20.00'],
    ['JPY', '465', '33', '15000', '15498', '0', '-2000'],
    ['KWD', '0.465', '0.033', '15.000', '15.498', '0.000', '-2.000'],
  ])(
    'is written with the decimals of %s',
    (currency, CardFee, TransactionFee, AmountNet, AmountGross, none, back) => {
      expect(partOf(paymentMessage(of, { ...paid, currency }), 'TransactionData')).toMatchObject({
        Currency: currency,
        CardFee,
        TransactionFee,
        AmountNet,
        AmountGross,
      });
      const refund = { ...sentBack, currency };
      const fees = { Currency: currency, CardFee: none, TransactionFee: none };
      const positive = back.slice(1);
      expect(partOf(refundMessage(of, refund, 'stripe'), 'TransactionData')).toMatchObject({
        ...fees,
        AmountNet: positive,
        AmountGross: positive,
      });
      expect(partOf(reversalMessage(of, refund, 'stripe', 57), 'TransactionData')).toMatchObject({
        ...fees,
        AmountNet: back,
        AmountGross: back,
      });
    },
  );

  it.each([
    ['visa', '1111', 'XXXX-XXXX-XXXX-X111'],
    ['amex', '0005', 'XXXX-XXXXXX-XX005'],
    ['diners', '0004', 'XXXX-XXXXXX-X004'],
  ])('names a card of %s by its brand and its last four digits alone', (brand, last4, masked) => {
    const card = cardRow('card', { brand, last4, masked });
    expect(partOf(paymentMessage({ ...of, card }, paid), 'TransactionData')).toMatchObject({
      CardMask: `XXXXXXXXXXXX${last4}`,
      CardType: brand,
    });
  });

  it('holds, of the card, nothing but its mask and brand', () => {
    const told = JSON.stringify(paymentMessage(of, paid));
    for (const secret of ['visa-card', 'vault_', 'A Nguyen', '2026-11', paid.reference]) {
      expect(told).not.toContain(secret);
    }
  });

  const currency = fc.constantFrom('AUD', 'JPY', 'KWD', 'CLF');
  const amount = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR });

  it('always has net = gross − both fees, in a charge', () => {
    const terms = fc.record({
      cardFeeBasisPoints: fc.integer({ min: 0, max: 9_999 }),
      transactionFeeMinor: fc.nat(1_000_000),
    });
    fc.assert(
      fc.property(amount, terms, currency, (requested, fees, code) => {
        const row = transactionRow({ ...grossUp(requested, fees), currency: code });
        const data = partOf(paymentMessage(of, row), 'TransactionData');
        const net = minorOf(data['AmountNet']);
        expect(net).toBe(BigInt(requested));
        expect(net).toBe(
          minorOf(data['AmountGross']) - minorOf(data['CardFee']) - minorOf(data['TransactionFee']),
        );
      }),
    );
  });

  it('is positive for a refund, and its reversal takes exactly that back, under another id', () => {
    fc.assert(
      fc.property(amount, currency, fc.integer({ min: 43 }), (amountMinor, code, id) => {
        const row = refundRow({ amountMinor, currency: code });
        const refund = partOf(refundMessage(of, row, 'sandbox'), 'TransactionData');
        const reversal = partOf(reversalMessage(of, row, 'sandbox', id), 'TransactionData');
        for (const name of ['AmountNet', 'AmountGross']) {
          expect(minorOf(refund[name])).toBe(BigInt(amountMinor));
          expect(reversal[name]).toBe(`-${String(refund[name])}`);
        }
        expect(reversal).toEqual({
          ...refund,
          TransactionID: String(id),
          AmountNet: reversal['AmountNet'],
          AmountGross: reversal['AmountGross'],
          Description: 'Reversal of failed refund',
        });
      }),
    );
  });
});

/** Zones with what time they show around their changes. */
const clocks: [zone: string, at: string, shown: string][] = [
  ['UTC', '2026-07-01T12:00:00Z', '2026-07-01T12:00:00+00:00'],
  ['Europe/Berlin', '2026-10-25T00:59:59.999Z', '2026-10-25T02:59:59+02:00'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
  ['Europe/Berlin', '2027-03-28T00:59:59Z', '2027-03-28T01:59:59+01:00'],
  ['Europe/Berlin', '2027-03-28T01:00:00Z', '2027-03-28T03:00:00+02:00'],
  ['America/New_York', '2026-11-01T05:59:59Z', '2026-11-01T01:59:59-04:00'],
  ['America/New_York', '2026-11-01T06:00:00Z', '2026-11-01T01:00:00-05:00'],
  ['America/St_Johns', '2026-07-01T00:00:00Z', '2026-06-30T21:30:00-02:30'],
  ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', '2026-10-04T01:59:59+10:30'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04T02:30:00+11:00'],
  ['Asia/Kathmandu', '2026-12-31T18:15:00Z', '2027-01-01T00:00:00+05:45'],
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01T00:00:00+14:00'],
];

describe('the times that the PMS is told', () => {
  it.each(clocks)(
    'are those of the property, with its offset then: %s at %s',
    (timeZone, at, shown) => {
      const atMs = Date.parse(at);
      const there = propertyRow({ timeZone });
      const made = bookingMessage(
        { property: there, roomTypes },
        null,
        bookedRow({ createdAtMs: atMs }),
      );
      expect(partOf(made, 'BookingData')).toMatchObject({
        Created: shown,
        // Nights have no zone.
        ArrivalDate: '2027-02-14',
        DepartureDate: '2027-02-17',
      });
      const payment = paymentMessage({ ...of, property: there }, { ...paid, completedAtMs: atMs });
      expect(partOf(payment, 'TransactionData')).toHaveProperty('ProcessedTime', shown);
      const refund = { ...sentBack, completedAtMs: atMs };
      for (const message of [
        refundMessage({ ...of, property: there }, refund, 'stripe'),
        reversalMessage({ ...of, property: there }, refund, 'stripe', 57),
      ]) {
        expect(partOf(message, 'TransactionData')).toHaveProperty('ProcessedTime', shown);
      }
    },
  );

  it('name the instant itself, to the second', () => {
    const zone = fc.constantFrom(...new Set(clocks.map(([name]) => name)));
    const atMs = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(zone, atMs, (timeZone, completedAtMs) => {
        const there = { ...of, property: propertyRow({ timeZone }) };
        const data = partOf(paymentMessage(there, { ...paid, completedAtMs }), 'TransactionData');
        expect(Date.parse(String(data['ProcessedTime']))).toBe(
          completedAtMs - (completedAtMs % 1_000),
        );
      }),
    );
  });
});

describe('a message as JSON', () => {
  const envelope = {
    messageId: '0190a3f0-0000-7000-8000-000000000001',
    timeStamp: '2026-10-01T20:00:01+08:00',
    messageType: 'PushTransaction',
  };

  it('is the envelope and its own part', () => {
    const members = paymentMessage(of, paid).payload;
    const { contentType, body } = jsonBody(
      { ...envelope, members },
      { username: 'pms-user', password: 'pms-pass' },
    );
    expect(contentType).toBe('application/json');
    const expected = {
      Authentication: { Username: 'pms-user', Password: 'pms-pass' },
      MessageID: envelope.messageId,
      TimeStamp: envelope.timeStamp,
      MessageType: 'PushTransaction',
      TransactionData: toldOfPayment,
    };
    expect(JSON.parse(body)).toStrictEqual(expected);
    expect(body).toBe(JSON.stringify(expected));
  });

  it('carries any text as it is', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, (username, password, EchoData) => {
        const { body } = jsonBody(
          { ...envelope, messageType: 'Ping', members: { EchoData } },
          { username, password },
        );
        expect(JSON.parse(body)).toStrictEqual({
          Authentication: { Username: username, Password: password },
          MessageID: envelope.messageId,
          TimeStamp: envelope.timeStamp,
          MessageType: 'Ping',
          EchoData,
        });
      }),
    );
  });
});
