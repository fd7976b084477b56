import { isolated } from '../../../core/format.ts';
import type { Words } from '../../../core/words/words.ts';
import { guestCards, wasRefused } from '../../../money/guest/rules.ts';
import { needsCard } from '../../../money/payments/rules.ts';
import { isOfFormerAccount } from '../../../records/cards/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { LinkLine, Section } from '../../web/page.tsx';
import { cardName } from '../rules/cardName.ts';
import { Layout } from './layout.tsx';
import { useGuest, useReader } from './reader.tsx';

interface Card {
  readonly card: CardRow;
}

/** The booking's cards, why some of them cannot be charged here, and the way to add one. */
export function Cards() {
  const { words } = useReader();
  const texts = words.cards;
  const { folio, home, nowMs } = useGuest();
  const { booking, cards } = folio.state;
  const isCancelled = booking.status === 'cancelled';
  if (cards.length === 0)
    return isCancelled ? null : <LinkLine href={`${home}/card`} text={texts.add} />;
  const usable = guestCards(folio.state, nowMs);
  return (
    <Section id="cards" heading={texts.heading}>
      <ul class="cards">
        {cards.map((card) => (
          <OneCard card={card} isUsable={usable.includes(card)} />
        ))}
      </ul>
      {!isCancelled && (
        <a class="button quiet" href={`${home}/card`}>
          {texts.addAnother}
        </a>
      )}
    </Section>
  );
}

function OneCard({ card, isUsable }: Card & { readonly isUsable: boolean }) {
  const { words } = useReader();
  const { folio, home } = useGuest();
  const { booking, property } = folio.state;
  const needing = folio.transactions.filter((row) => needsCard(row, booking, card));
  return (
    <li>
      <CardLabel card={card} />
      {card.enteredBy === 'guest' && needing.length === 0 && (
        <>
          {' '}
          <a
            href={`${home}/remove?card=${card.token}`}
            aria-label={words.cards.removeLabel({ card: cardName(words, card) })}
          >
            {words.cards.remove}
          </a>
        </>
      )}
      {!isUsable && <p class="hint">{whyNot(card, property, words)}</p>}
      {isUsable && wasRefused(folio.transactions, card) && (
        <p class="hint">{words.cards.refused}</p>
      )}
      {needing.some(({ status }) => status === 'Pending') && (
        <p class="hint">{words.cards.scheduledOn}</p>
      )}
    </li>
  );
}

/** Why the guest cannot pay with a card here. */
function whyNot(card: CardRow, property: PropertyRow, { cards }: Words): string {
  if (isOfFormerAccount(property, card)) return cards.ofFormerAccount;
  return card.enteredBy === 'guest'
    ? cards.expired
    : cards.givenWithBooking({ property: isolated(property.name) });
}

/** Asks before a card is removed, and says what that means. */
export function RemoveCardPage({ card }: Card) {
  const { words } = useReader();
  const { cards } = words;
  const { folio, home } = useGuest();
  const property = isolated(folio.state.property.name);
  return (
    <Layout heading={cards.removeTitle}>
      <p>{cards.removeText({ card: cardName(words, card), property })}</p>
      <form method="post" action={`${home}/remove`} data-once>
        <input type="hidden" name="card" value={card.token} />
        <button type="submit">{cards.removeButton}</button>
      </form>
      <LinkLine href={home} text={cards.keep} />
    </Layout>
  );
}

/** A card, described so that its holder recognises it. */
export function CardLabel({ card }: Card) {
  const { words } = useReader();
  const expiry = `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`;
  return <span>{words.card.withExpiry({ card: cardName(words, card), expiry })}</span>;
}
