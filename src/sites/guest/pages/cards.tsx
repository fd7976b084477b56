import { isolated } from '../../../core/format.ts';
import type { Words } from '../../../core/words/words.ts';
import { guestCards } from '../../../money/guest/rules.ts';
import { cardTokenNow } from '../../../money/payments/rules.ts';
import { isOfFormerAccount } from '../../../records/cards/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import type { Folio } from '../readFolio.ts';
import { CardLabel, cardName } from './cardLabel.tsx';
import { Layout, type ShownProperty } from './layout.tsx';
import { useReader } from './reader.tsx';

/** The booking's cards, why some of them cannot be charged here, and the way to add one. */
export function Cards({
  folio: { state, transactions },
  home,
  nowMs,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly nowMs: number;
}) {
  const { words } = useReader();
  const texts = words.cards;
  const { booking, cards, property } = state;
  const usable = guestCards(state, nowMs);
  const scheduledOn = ({ token }: CardRow) =>
    transactions.filter((row) => row.status === 'Pending' && cardTokenNow(row, booking) === token);
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
              {!usable.includes(card) && <p class="hint">{whyNot(card, property, words)}</p>}
              {scheduledOn(card).length > 0 && <p class="hint">{texts.scheduledOn}</p>}
            </li>
          ))}
        </ul>
      )}
      {booking.status !== 'cancelled' && (
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
        aria-label={words.cards.removeLabel({ card: cardName(words, card) })}
      >
        {words.cards.remove}
      </a>
    </>
  );
}

/** Why the guest cannot pay with a card here. */
function whyNot(
  card: CardRow,
  property: Pick<PropertyRow, 'name' | 'merchantAccount'>,
  { cards }: Words,
): string {
  if (isOfFormerAccount(property, card)) return cards.ofFormerAccount;
  return card.enteredBy === 'guest'
    ? cards.expired
    : cards.givenWithBooking({ property: isolated(property.name) });
}

/** Asks before a card is removed, and says what that means. */
export function RemoveCardPage({
  card,
  home,
  property,
}: {
  readonly card: CardRow;
  readonly home: string;
  readonly property: ShownProperty;
}) {
  const { words } = useReader();
  const { cards } = words;
  return (
    <Layout title={cards.removeTitle} heading={cards.removeTitle} property={property}>
      <p>{cards.removeText({ card: cardName(words, card), property: isolated(property.name) })}</p>
      <form method="post" action={`${home}/remove`} data-once>
        <input type="hidden" name="card" value={card.token} />
        <button type="submit">{cards.removeButton}</button>
      </form>
      <p>
        <a href={home}>{cards.keep}</a>
      </p>
    </Layout>
  );
}
