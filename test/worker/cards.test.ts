import { describe, expect, it, vi } from 'vitest';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import type { VaultOutcome } from '../../src/gateways/vault.ts';
import { call, makeBooking, testEnv } from '../support/api.ts';
import { withFault } from '../support/faults.ts';
import { enterCard, visit } from '../support/guest.ts';
import { story } from '../support/story.ts';
import { traits } from '../support/traits.ts';

story();

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
        ...traits,
      },
    });
  });

  it('takes an expiry up to 2099', async () => {
    const { json } = await call(TOKENIZE, { ...CARD, cardExpiry: '12/2099' });
    expect(json.card).toMatchObject({ cardExpiry: '12/2099' });
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
      ...traits,
    });
  });
});

/** Has the acquirer answer every card this way, and returns the warnings that follow. */
function answering(outcome: VaultOutcome): Record<string, unknown>[] {
  vi.spyOn(SandboxGateway.prototype, 'tokenize').mockResolvedValue(outcome);
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => {
    if (line.includes('"card_')) lines.push(JSON.parse(line) as Record<string, unknown>);
  });
  return lines;
}

async function cardsKept(): Promise<unknown> {
  return testEnv.DB.prepare('SELECT count(*) AS n FROM cards').first('n');
}

describe('what the acquirer tells of a card', () => {
  it('stands in bookings, transactions and refunds, in answers as in lists', async () => {
    const told = { funding: 'prepaid', issuerCountry: 'NZ' } as const;
    const gatewayToken = 'tok_traits';
    const vaulted = { kind: 'vaulted', gatewayToken, traits: told } as const;
    await makeBooking('TRAITS');
    vi.spyOn(SandboxGateway.prototype, 'tokenize').mockResolvedValue(vaulted);
    const { json } = await call(TOKENIZE, { ...CARD, reference: 'TRAITS' });
    expect(json.card).toMatchObject(told);
    vi.spyOn(SandboxGateway.prototype, 'charge').mockResolvedValue(approved('ch_traits'));
    vi.spyOn(SandboxGateway.prototype, 'refund').mockResolvedValue(approved('re_traits'));
    const shown = await call('/booking/v1/get-details', { reference: 'TRAITS' });
    expect(shown.json.booking.payment).toMatchObject([told]);
    const charged = await call('/payment/v1/create', { reference: 'TRAITS', amount: 10 });
    const cardDetails = expect.objectContaining(told);
    expect(charged.json.transaction).toMatchObject({ cardDetails });
    const chargeId = charged.json.transaction.id;
    const refunded = await call('/refund/v1/create', { reference: 'TRAITS', chargeId, amount: 1 });
    expect(refunded.json.refunds).toMatchObject([{ cardDetails }]);
    const listed = await call('/payment/v1/transaction', { reference: 'TRAITS' });
    expect(listed.json.transactions).toMatchObject([{ cardDetails, refunds: [{ cardDetails }] }]);
    const one = await call('/payment/v1/get-transaction', { reference: 'TRAITS', chargeId });
    expect(one.json.transaction).toMatchObject({ cardDetails, refunds: [{ cardDetails }] });
  });
});

function approved(gatewayReference: string) {
  const unsaid = { lapsesAtMs: null, amountMinor: null, atMs: null, pending: false };
  return { kind: 'approved', gatewayReference, ...unsaid } as const;
}

const said = {
  reason: 'card_error',
  message: 'Your card was declined.',
  parameter: 'card[cvc]',
  requestId: 'req_1',
};

describe('a card that the vault does not take', () => {
  it.each(['insufficient_funds', 'authentication_required'])('is 402 after %s', async (code) => {
    await makeBooking(`VAULT ${code}`);
    const before = await cardsKept();
    const warned = answering({ kind: 'declined', declineCode: code, refusal: said });
    const { status, json } = await call(TOKENIZE, { ...CARD, reference: `VAULT ${code}` });
    expect([status, json.code]).toEqual([402, 'card_declined']);
    expect(json).toMatchObject({ declineCode: code, retryable: false });
    expect(json).not.toHaveProperty('transaction');
    expect(await cardsKept()).toBe(before);
    expect(warned).toEqual([
      {
        event: 'card_declined',
        requestId: json['requestId'],
        property: 'demo',
        booking: `VAULT ${code}`,
        gateway: 'sandbox',
        declineCode: code,
        why: 'card_error',
        message: 'Your card was declined.',
        parameter: 'card[cvc]',
        gatewayRequestId: 'req_1',
      },
    ]);
  });

  it('is 502 for any other reason, which the log names', async () => {
    const warned = answering({
      kind: 'refused',
      refusal: { ...said, message: 'Raw card numbers are not enabled.', parameter: null },
    });
    const { status, json } = await call(TOKENIZE, CARD);
    expect([status, json.code]).toEqual([502, 'gateway_error']);
    expect(JSON.stringify(json)).not.toContain('Raw card numbers');
    expect(warned).toEqual([
      {
        event: 'card_refused',
        requestId: json['requestId'],
        property: 'demo',
        gateway: 'sandbox',
        why: 'card_error',
        message: 'Raw card numbers are not enabled.',
        gatewayRequestId: 'req_1',
      },
    ]);
  });

  it.each([
    ['object.booking', 'busy'],
    ['gateway.tokenize', 'internal_error'],
  ] as const)('is nowhere if %s fails, so that its outcome is known', async (boundary, code) => {
    await makeBooking(`BROKEN ${code}`);
    const before = await cardsKept();
    const tokenize = () => call(TOKENIZE, { ...CARD, reference: `BROKEN ${code}` });
    const answer = await withFault({ boundary, nth: 0 }, 'fails', tokenize);
    expect(answer?.json.code).toBe(code);
    expect(await cardsKept()).toBe(before);
  });

  it('is not in the log, even if the acquirer repeats its number', async () => {
    const message = 'The number 4111 1111 1111 1111 is not supported.';
    const warned = answering({ kind: 'refused', refusal: { ...said, message } });
    expect((await call(TOKENIZE, CARD)).status).toBe(502);
    expect(warned).toHaveLength(1);
    expect(JSON.stringify(warned)).not.toMatch(/1111 ?1111/);
  });

  it.each([
    ['insufficient_funds', 'there is not enough money in the account'],
    ['authentication_required', 'needs to verify you, which this page cannot ask for'],
    ['do_not_honor', 'gave no reason'],
  ])('is one that the guest is told of as declined by the bank: %s', async (code, words) => {
    await makeBooking(`TOLD ${code}`);
    const guest = await visit(`TOLD ${code}`);
    const warned = answering({ kind: 'declined', declineCode: code, refusal: said });
    await enterCard(guest, CARD.cardNumber);
    expect(guest.page.status).toBe(402);
    expect(guest.page.html).toContain('Your bank declined this card.');
    expect(guest.page.html).toContain(words);
    expect(guest.page.html).toContain('You were not charged.');
    expect(warned).toMatchObject([{ event: 'card_declined', booking: `TOLD ${code}` }]);
  });

  it('is one that the guest is told of as our failure where the bank did not decline', async () => {
    await makeBooking('TOLD');
    const guest = await visit('TOLD');
    const warned = answering({ kind: 'refused', refusal: said });
    await enterCard(guest, CARD.cardNumber);
    expect(guest.page.status).toBe(502);
    expect(guest.page.html).toContain('The card could not be added.');
    expect(guest.page.html).toContain('Your bank did not decline it');
    expect(warned).toMatchObject([{ event: 'card_refused', booking: 'TOLD' }]);
  });
});
