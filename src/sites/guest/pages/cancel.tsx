import type { Folio } from '../../../money/guest/folio.ts';
import type { CancellationQuote } from '../../../money/settlements/quote.ts';
import { LinkLine, Notice } from '../../web/page.tsx';
import { cancelWords } from '../rules/cancelWords.ts';
import { Attempt } from './cardFields.tsx';
import { Layout } from './layout.tsx';
import { useGuest, useReader } from './reader.tsx';
import { UnderWayNotice } from './underWay.tsx';

/** Whether the guest may cancel the booking here (interface: Put a property). */
export function mayCancel({ state }: Pick<Folio, 'state'>): boolean {
  return state.property.guestCancellation && state.booking.status === 'booked';
}

/** What cancelling costs, in the property's words, and the way to do it where the property allows that. */
export function Cancellation() {
  const { folio, home } = useGuest();
  const texts = useReader().words.cancellation;
  const text = folio.state.booking.cancellationPolicy?.text;
  if (text === undefined && !mayCancel(folio)) return null;
  return (
    <section>
      <h2>{texts.heading}</h2>
      {text !== undefined && <p class="lines">{text}</p>}
      {mayCancel(folio) && <LinkLine href={`${home}/cancel`} text={texts.link} />}
    </section>
  );
}

/** Says what cancelling comes to, and asks for one press. `isAgain`: something has changed since it was shown. */
export function CancelPage({
  quote,
  isAgain,
}: {
  readonly quote: CancellationQuote;
  readonly isAgain: boolean;
}) {
  const { home } = useGuest();
  const { booking } = useReader().words;
  const texts = useReader().words.cancellation;
  const isAllowed = quote.refusals.length === 0;
  return (
    <Layout heading={texts.title} isError={isAgain}>
      {isAgain && <Notice kind="bad" focus text={texts.changed} />}
      {!isAllowed && <Notice kind="bad" text={texts.notNow} />}
      {!isAllowed && <UnderWayNotice />}
      {isAllowed && <Comes quote={quote} />}
      {isAllowed && (
        <form method="post" action={`${home}/cancel`} data-once>
          <input type="hidden" name="quote" value={quote.quoteId} />
          <Attempt />
          <button type="submit">{texts.button}</button>
        </form>
      )}
      <LinkLine href={home} text={isAllowed ? texts.keep : booking.back} />
    </Layout>
  );
}

/** What is kept, charged and given back, a sentence a line. */
function Comes({ quote }: { readonly quote: CancellationQuote }) {
  const reader = useReader();
  const { state } = useGuest().folio;
  const { arrival, departure, reference } = state.booking;
  return (
    <section>
      <p class="stay">
        {reader.days(arrival, departure)} · <bdi>{reference}</bdi>
      </p>
      <ul>
        {cancelWords(reader, quote, state).map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      <p>{reader.words.cancellation.final}</p>
    </section>
  );
}
