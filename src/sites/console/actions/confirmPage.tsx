import { instant, money } from '../../../core/format.ts';
import type { DeskAction } from '../../../desk/actions.ts';
import type { Preview } from '../../../desk/preview.ts';
import { words } from '../../../desk/words.ts';
import type { DecidedCapture } from '../../../money/payments/rules/decideCapture.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Fact, type Form, Hidden } from '../../web/forms.tsx';
import { LinkLine, Notice } from '../../web/page.tsx';
import { bookingPath, CONSOLE_PATH } from '../paths.ts';
import { useViewed } from '../site.tsx';

const { confirm: copy } = words;
const { titles } = words.actions;

/** Says what an action will do, and asks for one press. */
export function Confirmation({
  action,
  preview,
  fields,
  notice,
}: {
  readonly action: DeskAction;
  readonly preview: Preview;
  readonly fields: Form;
  /** Why it is asked again; left out the first time. */
  readonly notice?: string | undefined;
}) {
  const { property } = useViewed();
  const { reference = '' } = fields;
  const { about, capture, quote, refusals } = preview;
  const warnings = [...(quote?.warnings ?? []), ...(capture?.warnings ?? [])];
  // However often a form with one key is sent, it acts once.
  const sent = { ...fields, key: crypto.randomUUID(), ...(quote && { quoteId: quote.quoteId }) };
  return (
    <>
      <p>
        {copy.of} <a href={bookingPath(property.id, reference)}>{reference}</a>, {property.name}
      </p>
      {notice !== undefined && <Notice kind="bad" text={notice} />}
      {refusals.map(({ detail }) => (
        <Notice kind="bad" text={detail} />
      ))}
      {warnings.map((warning) => (
        <Notice kind="info" text={words.warnings[warning]} />
      ))}
      <section aria-labelledby="what">
        <h2 id="what">{copy.heading}</h2>
        <p>{capture ? captureCopy(capture, about, property) : sentenceOf(action, property)}</p>
        {about.map((row) => (
          <p>{describe(row, property)}</p>
        ))}
        {quote && (
          <dl>
            <Price priced={quote.priced} />
            <Fact name={copy.dueBefore}>{money(quote.dueBeforeMinor, property.currency)}</Fact>
            <Fact name={copy.dueAfter}>{money(quote.dueAfterMinor, property.currency)}</Fact>
          </dl>
        )}
        {capture && (
          <dl>
            <Price priced={capture.priced} />
          </dl>
        )}
      </section>
      {refusals.length === 0 && (
        <form method="post" action={`${CONSOLE_PATH}/do`} class="row">
          <Hidden fields={sent} />
          <button type="submit">{titles[action.do]}</button>
        </form>
      )}
      <LinkLine href={bookingPath(property.id, reference)} text={copy.back} />
    </>
  );
}

function Price({ priced }: { readonly priced: Priced }) {
  const { currency } = useViewed().property;
  return (
    <>
      <Fact name={copy.amount}>{money(priced.requestedMinor, currency)}</Fact>
      <Fact name={copy.fees}>
        {money(priced.cardFeeMinor + priced.transactionFeeMinor, currency)}
      </Fact>
      <Fact name={copy.cardPays}>
        <strong>{money(priced.amountMinor, currency)}</strong>
      </Fact>
    </>
  );
}

/** A payment or refund that the action is about. */
function describe(row: TransactionRow | RefundRow, { timeZone }: PropertyRow): string {
  const { amountMinor, currency, status } = row;
  const dueAtMs = status === 'Pending' ? row.scheduledAtMs : null;
  const about = {
    kind: words.kinds['kind' in row ? row.kind : 'refund'],
    id: String(row.id),
    amount: money(amountMinor, currency),
    status,
    when:
      dueAtMs === null
        ? copy.made({ time: instant(row.createdAtMs, timeZone) })
        : copy.willBe({ time: instant(dueAtMs, timeZone) }),
  };
  const refundedMinor = 'refundReservedMinor' in row ? row.refundReservedMinor : 0;
  return refundedMinor > 0
    ? copy.refundedRow({ ...about, refunded: money(refundedMinor, currency) })
    : copy.row(about);
}

function sentenceOf(action: DeskAction, { currency, timeZone }: PropertyRow): string {
  switch (action.do) {
    case 'charge':
      return copy.charge({ order: copy.orders[action.initiator] });
    case 'schedule':
    case 'hold': {
      const time = instant(action.time.atMs, timeZone);
      return copy[action.do]({ time, order: copy.orders[action.initiator] });
    }
    case 'refund': {
      const waive = action.waive ? copy.waived : copy.dueAgain;
      return copy.refund({ amount: money(action.amountMinor, currency), waive });
    }
    case 'resolve':
      return copy.resolve({ outcome: copy.outcomes[action.outcome], reason: action.reason });
    default:
      return copy[action.do];
  }
}

function captureCopy(
  { priced }: DecidedCapture,
  [hold]: Preview['about'],
  { currency }: PropertyRow,
): string {
  const isWhole = hold && 'kind' in hold && priced.requestedMinor === hold.requestedMinor;
  return isWhole
    ? copy.captureWhole
    : copy.capturePart({ amount: money(priced.requestedMinor, currency) });
}
