import { typableAmount } from '../../../core/typedAmount.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Quote } from '../quote.ts';
import type { Folio } from '../readFolio.ts';
import { CardLabel } from './cardLabel.tsx';
import { Fact, Layout, type ShownProperty } from './layout.tsx';
import { PriceBox, useButton } from './price.tsx';
import { useReader } from './reader.tsx';

/** Shows the total price before anything is charged, where the booking's page could not. */
export function ReviewPage({
  folio,
  home,
  attempt,
  card,
  quote,
  isChanged,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly attempt: string;
  readonly card: CardRow;
  readonly quote: Quote;
  /** Whether another price was shown before. */
  readonly isChanged: boolean;
}) {
  const { words } = useReader();
  const { pay } = words;
  const { property, booking } = folio.state;
  return (
    <Layout title={pay.reviewTitle} heading={pay.reviewTitle} property={property}>
      {isChanged && (
        <Notice kind="info" focus>
          <p>{words.payIssues.changed}</p>
        </Notice>
      )}
      <form method="post" action={`${home}/pay`} data-once>
        <input type="hidden" name="attempt" value={attempt} />
        <input type="hidden" name="card" value={card.token} />
        <input type="hidden" name="choice" value={isFixed(quote) ? quote.choice : 'other'} />
        <input
          type="hidden"
          name="amount"
          value={typableAmount(quote.requestedMinor, booking.currency)}
        />
        <input type="hidden" name="reviewed" value="1" />
        <dl>
          <Fact name={words.bank.card}>
            <CardLabel card={card} />
          </Fact>
        </dl>
        <PriceBox folio={folio} quote={quote} issue={null} />
        <button type="submit">{useButton(folio, quote)}</button>
      </form>
      <p>
        <a href={home}>{pay.change}</a>
      </p>
    </Layout>
  );
}

/** Whether what is paid is more than an amount: the deposit, or what the guest is asked for. */
function isFixed({ choice }: Quote): boolean {
  return choice === 'deposit' || choice === 'asked';
}

/** Shown when it is unknown whether a payment was recorded. Sending the same form again cannot charge twice. */
export function UnsurePage({
  property,
  action,
  form,
}: {
  readonly property: ShownProperty;
  /** The path that the payment is sent to. */
  readonly action: string;
  /** The fields of the form that the guest sent. */
  readonly form: Readonly<Record<string, string>>;
}) {
  const { unsure } = useReader().words;
  return (
    <Layout title={unsure.heading} heading={unsure.heading} property={property}>
      <Notice kind="info">
        <p>{unsure.text}</p>
      </Notice>
      <form method="post" action={action} data-once>
        {Object.entries(form).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button type="submit">{unsure.button}</button>
      </form>
    </Layout>
  );
}
