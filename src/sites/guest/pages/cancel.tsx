import { isolated } from '../../../core/format.ts';
import type { CancellationQuote } from '../../../money/settlements/quote.ts';
import { LinkLine, Notice } from '../../web/page.tsx';
import type { Folio } from '../readFolio.ts';
import { Layout } from './layout.tsx';
import { useGuest, useReader } from './reader.tsx';

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
      {mayCancel(folio) && (
        <p>
          <a href={`${home}/cancel`}>{texts.link}</a>
        </p>
      )}
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
      {isAllowed && <Comes quote={quote} />}
      {isAllowed && (
        <form method="post" action={`${home}/cancel`} data-once>
          <input type="hidden" name="quote" value={quote.quoteId} />
          <input type="hidden" name="attempt" value={crypto.randomUUID()} />
          <button type="submit">{texts.button}</button>
        </form>
      )}
      <LinkLine href={home} text={isAllowed ? texts.keep : booking.back} />
    </Layout>
  );
}

/** What is kept, charged and given back, in sentences. */
function Comes({ quote }: { readonly quote: CancellationQuote }) {
  const { money, words } = useReader();
  const texts = words.cancellation;
  const { property, booking } = useGuest().folio.state;
  const amount = (minor: number) => ({ amount: money(minor, booking.currency) });
  const { bonds, captures, charge, keepMinor, refunds, releases } = quote;
  const kept = { ...amount(keepMinor), property: isolated(property.name) };
  return (
    <>
      <p>{keepMinor === 0 ? texts.free : texts.kept(kept)}</p>
      <ul>
        {captures.map(({ priced }) => (
          <li>{texts.captured(amount(priced.amountMinor))}</li>
        ))}
        {charge && <li>{texts.charged(amount(charge.priced.amountMinor))}</li>}
        {[...refunds, ...bonds].map(({ withFeesMinor }) => (
          <li>{texts.refunded(amount(withFeesMinor))}</li>
        ))}
        {releases.map(({ amountMinor }) => (
          <li>{texts.released(amount(amountMinor))}</li>
        ))}
      </ul>
      <p>{texts.final}</p>
    </>
  );
}
