import { factsOfLastDigits } from '../../core/cardNumbers.ts';
import type { CardReport } from '../../gateways/vault.ts';
import type { CardRow } from '../../schema/cardTables.ts';

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
