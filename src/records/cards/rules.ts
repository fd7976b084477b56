import { factsOfLastDigits } from '../../core/cardNumbers.ts';
import { failure } from '../../core/failure.ts';
import { languages } from '../../core/words/words.ts';
import type { CardReport } from '../../gateways/vault.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/**
 * Whether an acquirer's account keeps the card that its property no longer uses (interface: Accounts): it is charged no
 * more. What was charged on it is still captured, let go, refunded and disputed there.
 */
export function isOfFormerAccount(
  { merchantAccount }: Pick<PropertyRow, 'merchantAccount'>,
  { gatewayAccount }: Pick<CardRow, 'gatewayAccount'>,
): boolean {
  return gatewayAccount !== merchantAccount;
}

/** The failure of what would charge such a card, or attach it. */
export const CARD_OF_FORMER_ACCOUNT = failure(
  'card_of_former_account',
  "The card is kept at an account that is no longer the property's. Ask the guest to enter a card again.",
);

export type CardRenewal = Pick<
  CardRow,
  'brand' | 'last4' | 'masked' | 'expiryMonth' | 'expiryYear'
>;

/** What of a card is another by the acquirer's word; null if nothing is. */
export function renewalOf(card: CardRow, report: CardReport): CardRenewal | null {
  if (report.kind !== 'card') return null;
  const { brand, last4, expiryMonth, expiryYear } = report;
  // Acquirers name brands each in their own way: the same digits are the same brand.
  const isSameNumber = last4 === card.last4;
  if (isSameNumber && expiryMonth === card.expiryMonth && expiryYear === card.expiryYear) {
    return null;
  }
  const { brand: kind, masked } = isSameNumber ? card : factsOfLastDigits(brand, last4);
  return { brand: kind, last4, masked, expiryMonth, expiryYear };
}

/** What a page shows to a guest about a card that they enter: it is to pay with, or to be kept. */
export type AgreementKind = 'payment' | 'saved';

/** The texts that the pages show today: a changed text gets the next number. */
const TEXTS = { payment: 'payment-2', saved: 'saved-2' } as const;

/** Whether a card was entered to pay with, by the text that its guest agreed to. */
export function isToPay(agreement: string | null): boolean {
  return agreement?.startsWith('payment-') ?? false;
}

/** The name of a text, with the language in which a page shows it. */
export function agreementName(kind: AgreementKind, language: string): string {
  return `${TEXTS[kind]} ${language}`;
}

/**
 * What the guest agreed to by sending the form of a page that shows a text of `kind`. Null if the form does not name that
 * text in a language of ours: then nobody agreed to anything.
 */
export function agreementOf(
  form: Readonly<Record<string, string>>,
  kind: AgreementKind,
): string | null {
  const names = languages.map((language) => agreementName(kind, language));
  return names.find((name) => name === form['agreed']) ?? null;
}
