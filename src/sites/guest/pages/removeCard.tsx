import { isolated } from '../../../core/format.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import { cardName } from './cardLabel.tsx';
import { Layout, type ShownProperty } from './layout.tsx';
import { useReader } from './reader.tsx';

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
