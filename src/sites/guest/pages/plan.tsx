import { isolated } from '../../../core/format.ts';
import { plansFor } from '../../../money/guest/folio.ts';
import { cardForPlan, type OfferedPlan } from '../../../money/plans/choice.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import { LinkLine, Notice } from '../../web/page.tsx';
import { cardName } from '../rules/cardName.ts';
import { planWords } from '../rules/planWords.ts';
import { Attempt } from './cardFields.tsx';
import { Layout } from './layout.tsx';
import { useGuest, useReader } from './reader.tsx';

/** The plans that the guest may choose; nothing where there are none. */
export function OfferedPlans() {
  const guest = useGuest();
  const { plan } = useReader().words;
  const offers = plansFor(guest);
  if (offers.length === 0) return null;
  return (
    <section id="plans">
      <h2>{plan.heading}</h2>
      <p>{plan.offer}</p>
      <ul>
        {offers.map(({ template: { key, name } }) => (
          <li>
            <a href={`${guest.home}/plan?${new URLSearchParams({ template: key }).toString()}`}>
              {isolated(name)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All that a plan would charge, and the one press that agrees to it. `isAgain`: something has changed since it was shown. */
export function PlanPage({
  isAgain,
  offer,
  shown,
}: {
  readonly isAgain: boolean;
  readonly offer: OfferedPlan;
  /** What tells whether the page is still right; null without a card. */
  readonly shown: string | null;
}) {
  const { folio, home, nowMs } = useGuest();
  const { words } = useReader();
  const card = cardForPlan(folio.state, nowMs);
  return (
    <Layout title={words.plan.heading} heading={isolated(offer.template.name)} isError={isAgain}>
      {isAgain && <Notice kind="bad" focus text={words.cancellation.changed} />}
      <PlannedParts card={card} offer={offer} />
      {card !== null && shown !== null && (
        <form method="post" action={`${home}/plan`} data-once>
          <input type="hidden" name="template" value={offer.template.key} />
          <input type="hidden" name="shown" value={shown} />
          <Attempt />
          <button type="submit">{words.plan.button}</button>
        </form>
      )}
      {card === null && <LinkLine class="button" href={`${home}/card`} text={words.cards.add} />}
      <LinkLine href={home} text={words.booking.back} />
    </Layout>
  );
}

/** What is charged when, and what choosing it means; without a card, that one is needed first. */
function PlannedParts({
  card,
  offer,
}: {
  readonly card: CardRow | null;
  readonly offer: OfferedPlan;
}) {
  const reader = useReader();
  const { words } = reader;
  const { property } = useGuest().folio.state;
  const name = card === null ? '' : cardName(words, card);
  const { parts, said, total } = planWords(reader, offer, property, name);
  const sentences = card === null ? [words.plan.needsCard] : said;
  return (
    <>
      <ul>
        {parts.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      <p>{total}</p>
      {sentences.map((line) => (
        <p>{line}</p>
      ))}
    </>
  );
}
