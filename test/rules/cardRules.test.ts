import { describe, expect, it } from 'vitest';
import { languages } from '../../src/core/words/words.ts';
import {
  agreementName,
  agreementOf,
  CARD_OF_FORMER_ACCOUNT,
  isOfFormerAccount,
  isToPay,
  renewalOf,
} from '../../src/records/cards/rules.ts';
import { cardRow } from './rows.ts';

describe('a card is of a former account', () => {
  it.each([
    ['kept at the account of its property', 'acct_1', 'acct_1', false],
    ['kept at no account, as its property uses none', null, null, false],
    ['kept at another account', 'acct_1', 'acct_2', true],
    ['kept at an account where its property uses none now', null, 'acct_1', true],
    ['kept at no account where its property uses one now', 'acct_1', null, true],
  ])('or not: %s', (_which, merchantAccount, gatewayAccount, expected) => {
    expect(isOfFormerAccount({ merchantAccount }, { gatewayAccount })).toBe(expected);
  });

  it('and says so', () => {
    expect(CARD_OF_FORMER_ACCOUNT.code).toBe('card_of_former_account');
  });
});

describe('what a guest agrees to', () => {
  const kinds = ['payment', 'saved'] as const;
  const shown = kinds.flatMap((kind) => languages.map((language) => [kind, language] as const));

  it.each(shown)('is the text of %s that the page shows in %s', (kind, language) => {
    const agreed = agreementName(kind, language);
    expect(agreed).toMatch(new RegExp(`^${kind}-\\d+ ${language}$`));
    expect(agreementOf({ agreed }, kind)).toBe(agreed);
    expect(isToPay(agreed)).toBe(kind === 'payment');
  });

  it.each([
    ['no text', {}],
    ['a text of the other kind', { agreed: agreementName('saved', 'en') }],
    ['a text in a language that no page has', { agreed: agreementName('payment', 'xx') }],
    ['a text of before', { agreed: 'payment-1 en' }],
  ])('is nothing where the form names %s', (_what, form) => {
    expect(agreementOf(form, 'payment')).toBe(null);
  });

  it('is not to pay where a card came without a page', () => {
    expect(isToPay(null)).toBe(false);
  });
});

describe('a card is renewed', () => {
  it.each([
    ['not where nothing is another', {}, false],
    ['by another month alone', { expiryMonth: 12 }, true],
    ['by another year alone', { expiryYear: 2029 }, true],
  ])('or not: %s', (_which, changes, expected) => {
    const card = cardRow('visa');
    const known = { brand: card.brand, last4: card.last4, expiryMonth: 11, expiryYear: 2026 };
    const { masked } = card;
    const renewal = expected ? { ...known, masked, ...changes } : null;
    expect(renewalOf(card, { kind: 'card', ...known, ...changes })).toEqual(renewal);
  });
});
