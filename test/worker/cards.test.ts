import { beforeAll, describe, expect, it } from 'vitest';
import { call, freshDatabase, makeBooking } from '../support/api.ts';

beforeAll(freshDatabase);

const TOKENIZE = '/payment/v1/tokenize';
const CARD = { cardNumber: '4111111111111111', cardExpiry: '12/2030' };

describe(`POST ${TOKENIZE}`, () => {
  it.each([
    ['4242 4242 4242 4242', 'Visa', 'XXXX-XXXX-XXXX-X242'],
    ['5555-5555-5555-4444', 'Mastercard', 'XXXX-XXXX-XXXX-X444'],
    ['378282246310005', 'Amex', 'XXXX-XXXXXX-XX005'],
    ['4000000000000002', 'Visa', 'XXXX-XXXX-XXXX-X002'],
  ])('keeps %s as %s %s', async (cardNumber, cardType, masked) => {
    const { status, json } = await call(TOKENIZE, { ...CARD, cardNumber, cvv: '1234' });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      card: {
        cardHolderName: '-',
        cardNumber: masked,
        cardType,
        cardExpiry: '12/2030',
        token: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
  });

  it('gives every card a token of its own, also the same card twice', async () => {
    const [first, second] = [await call(TOKENIZE, CARD), await call(TOKENIZE, CARD)];
    expect(first.json.card.token).not.toBe(second.json.card.token);
  });

  it.each([
    ['a wrong check digit', { cardNumber: '4111111111111112' }, 'cardNumber', 'validation_failed'],
    [
      'a length that its brand has not',
      { cardNumber: '37828224631000' },
      'cardNumber',
      'validation_failed',
    ],
    ['letters', { cardNumber: 'four one one one' }, 'cardNumber', 'validation_failed'],
    ['a JSON number', { cardNumber: 4111111111111111 }, 'cardNumber', 'validation_failed'],
    ['no number', { cardNumber: undefined }, 'cardNumber', 'validation_failed'],
    ['a month that does not exist', { cardExpiry: '13/2030' }, 'cardExpiry', 'validation_failed'],
    ['a short year', { cardExpiry: '12/30' }, 'cardExpiry', 'validation_failed'],
    ['a month that is over', { cardExpiry: '01/2020' }, 'cardExpiry', 'card_expired'],
    ['a CVV of two digits', { cvv: '12' }, 'cvv', 'validation_failed'],
    ['an empty holder', { cardHolderName: '' }, 'cardHolderName', 'validation_failed'],
    [
      'a holder who is a card number',
      { cardHolderName: '4242 4242 4242 4242' },
      'cardHolderName',
      'validation_failed',
    ],
  ])('refuses %s', async (_name, change, field, code) => {
    const { status, json } = await call(TOKENIZE, { ...CARD, ...change });
    expect([status, json.code]).toEqual([422, code]);
    expect(json.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
    expect(JSON.stringify(json)).not.toMatch(/411111|378282/);
  });

  it('is 404 for a booking that is not there, and keeps nothing', async () => {
    const { status, json } = await call(TOKENIZE, { ...CARD, reference: 'NOWHERE' });
    expect([status, json.code]).toEqual([404, 'booking_not_found']);
  });

  it('attaches the card, which the booking then uses', async () => {
    const old = await makeBooking('T-1', '4242424242424242');
    const { json } = await call(TOKENIZE, { ...CARD, reference: 'T-1' });
    const charged = await call('/payment/v1/create', { reference: 'T-1', amount: 1 });
    expect(charged.json.transaction.cardDetails.token).toBe(json.card.token);
    const byToken = await call('/payment/v1/create', { reference: 'T-1', amount: 1, token: old });
    expect(byToken.json.transaction.cardDetails.token).toBe(old);
  });

  it('makes a card that can be charged by its token on any booking of the property', async () => {
    await makeBooking('T-2');
    const { json } = await call(TOKENIZE, CARD);
    const { token } = json.card;
    const charged = await call('/payment/v1/create', { reference: 'T-2', amount: 1, token });
    expect(charged.status).toBe(200);
    expect(charged.json.transaction.cardDetails).toEqual({
      cardNumber: '1111',
      cardType: 'visa',
      currency: 'AUD',
      token,
    });
  });
});
