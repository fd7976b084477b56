import { isolated } from '../../../core/format.ts';
import { guestCards } from '../../../money/guest/rules.ts';
import type { CardRow } from '../../../platform/db/cardTables.ts';
import type { Words } from '../../../platform/words/words.ts';
import type { Folio } from '../readFolio.ts';
import { CardLabel, cardName } from './cardLabel.tsx';
import { useReader } from './reader.tsx';

/** The booking's cards, why some of them cannot be charged here, and the way to add one. */
export function Cards({
  folio: { state },
  home,
  nowMs,
  isAskedAbove,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly nowMs: number;
  /** Whether the part to pay has the way to add a card already. */
  readonly isAskedAbove: boolean;
}) {
  const { words } = useReader();
  const texts = words.cards;
  const { booking, cards, property } = state;
  const usable = guestCards(state, nowMs);
  return (
    <section aria-labelledby="cards">
      <h2 id="cards">{texts.heading}</h2>
      {cards.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <ul class="cards">
          {cards.map((card) => (
            <li>
              <CardLabel card={card} />
              {card.enteredBy === 'guest' && <RemoveLink card={card} home={home} />}
              {!usable.includes(card) && <p class="hint">{whyNot(card, property.name, words)}</p>}
            </li>
          ))}
        </ul>
      )}
      {booking.status !== 'cancelled' && !isAskedAbove && (
        <a class="button quiet" href={`${home}/card`}>
          {cards.length === 0 ? texts.add : texts.addAnother}
        </a>
      )}
    </section>
  );
}

/** Leads to the page that asks before it removes a card. */
function RemoveLink({ card, home }: { readonly card: CardRow; readonly home: string }) {
  const { words } = useReader();
  return (
    <>
      {' '}
      <a
        href={`${home}/remove?card=${card.token}`}
        aria-label={words.cards.removeLabel(cardName(words, card))}
      >
        {words.cards.remove}
      </a>
    </>
  );
}

/** Why the guest cannot pay with a card here. */
function whyNot({ enteredBy }: CardRow, propertyName: string, { cards }: Words): string {
  return enteredBy === 'guest' ? cards.expired : cards.givenWithBooking(isolated(propertyName));
}
