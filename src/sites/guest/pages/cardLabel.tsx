import { capitalisedBrand } from '../../../core/cardNumbers.ts';
import type { Words } from '../../../core/words/words.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import { useReader } from './reader.tsx';

/** A card by its brand and last digits. */
export function cardName({ card }: Words, { brand, last4 }: Pick<CardRow, 'brand' | 'last4'>) {
  return card.endingIn({ brand: capitalisedBrand(brand), last4 });
}

/** A card by its brand and last digits, as receipts show it. */
export function CardName({ card }: { readonly card: CardRow }) {
  return <>{cardName(useReader().words, card)}</>;
}

/** A card, described so that its holder recognises it. */
export function CardLabel({ card }: { readonly card: CardRow }) {
  const { words } = useReader();
  const expiry = `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`;
  return <span>{words.card.withExpiry({ card: cardName(words, card), expiry })}</span>;
}
