import { capitalisedBrand } from '../../../core/cardNumbers.ts';
import type { Words } from '../../../core/words/words.ts';
import type { CardRow } from '../../../schema/cardTables.ts';

/** A card as its holder recognises it in a sentence. */
export function cardName({ card }: Words, { brand, last4 }: CardRow): string {
  return card.endingIn({ brand: capitalisedBrand(brand), last4 });
}
