import { instant, money } from '../../../core/format.ts';
import type { DeskAction } from '../../../desk/actions.ts';
import type { Preview } from '../../../desk/preview.ts';
import type { RefundRow, TransactionRow } from '../../../platform/db/moneyTables.ts';
import type { PropertyRow } from '../../../platform/db/propertyTables.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { Form } from '../../web/forms.ts';
import { Notice } from '../../web/notice.tsx';
import { Fact } from '../pages/fact.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bookingPath, CONSOLE_PATH } from '../paths.ts';

/** Says what an action will do, and asks for one press. */
export function ConfirmPage({
  person,
  property,
  reference,
  action,
  preview,
  fields,
  formKey,
}: {
  readonly person: Person;
  readonly property: PropertyRow;
  readonly reference: string;
  readonly action: DeskAction;
  readonly preview: Preview;
  /** The fields of the form, to be sent again. */
  readonly fields: Form;
  /** The key of this form: however often it is sent, it acts once. */
  readonly formKey: string;
}) {
  const { about, quote, refusals } = preview;
  const sent = {
    ...fields,
    key: formKey,
    ...(action.do === 'charge' && quote && { quoteId: quote.quoteId }),
  };
  return (
    <ConsoleLayout title={confirmTitles[action.do]} person={person} property={property}>
      <p>
        Booking <a href={bookingPath(property.id, reference)}>{reference}</a>, {property.name}
      </p>
      {refusals.map(({ detail }) => (
        <Notice kind="bad">
          <p>{detail}</p>
        </Notice>
      ))}
      {quote?.warnings.map((warning) => (
        <Notice kind="info">
          <p>{warningCopy[warning]}</p>
        </Notice>
      ))}
      <section aria-labelledby="what">
        <h2 id="what">What will happen</h2>
        <p>{sentenceOf(action, property)}</p>
        {about.map((row) => (
          <p>{describe(row, property)}</p>
        ))}
        {quote && (
          <dl>
            <Fact name="Amount">{money(quote.priced.requestedMinor, property.currency)}</Fact>
            <Fact name="Fees">
              {money(
                quote.priced.cardFeeMinor + quote.priced.transactionFeeMinor,
                property.currency,
              )}
            </Fact>
            <Fact name="The card pays">
              <strong>{money(quote.priced.amountMinor, property.currency)}</strong>
            </Fact>
            <Fact name="Due before">{money(quote.dueBeforeMinor, property.currency)}</Fact>
            <Fact name="Due after">{money(quote.dueAfterMinor, property.currency)}</Fact>
          </dl>
        )}
      </section>
      {refusals.length === 0 && (
        <form method="post" action={`${CONSOLE_PATH}/do`} class="row">
          {Object.entries(sent).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button type="submit">{confirmTitles[action.do]}</button>
        </form>
      )}
      <p>
        <a href={bookingPath(property.id, reference)}>Back without doing anything</a>
      </p>
    </ConsoleLayout>
  );
}

const confirmTitles: Readonly<Record<DeskAction['do'], string>> = {
  charge: 'Charge the card',
  schedule: 'Schedule the charge',
  hold: 'Hold the amount',
  capture: 'Capture the hold',
  release: 'Release the hold',
  refund: 'Refund the payment',
  cancelSchedule: 'Cancel the scheduled charge',
  cancelSchedules: 'Cancel all scheduled charges',
  requestCard: 'Ask the guest for a card',
  makeLink: 'Make a payment link',
  resolve: 'Settle it by hand',
};

/** A payment or refund that the action is about. */
function describe(row: TransactionRow | RefundRow, { timeZone }: PropertyRow): string {
  const about = 'kind' in row ? { ...row, kind: row.kind } : { ...row, kind: 'refund' as const };
  const amount = money(row.amountMinor, row.currency);
  const name = `${kindNames[about.kind]} ${row.id}: ${amount}, ${row.status}`;
  const made = `made ${instant(row.createdAtMs, timeZone)}`;
  const back = 'refundReservedMinor' in row && row.refundReservedMinor > 0;
  return back
    ? `${name}, ${money(row.refundReservedMinor, row.currency)} of it refunded, ${made}.`
    : `${name}, ${made}.`;
}

const kindNames = {
  charge: 'Payment',
  schedule: 'Scheduled charge',
  authorization: 'Hold',
  refund: 'Refund',
} as const;

const warningCopy = {
  exceeds_due: 'This is more than what is due.',
  surcharge_not_allowed: 'The law does not allow a fee on this card.',
  card_expires_before_scheduled_time: 'The card will have expired at that time.',
} as const;

function sentenceOf(action: DeskAction, { currency, timeZone }: PropertyRow): string {
  switch (action.do) {
    case 'charge':
      return `The card is charged now, ${orderCopy[action.initiator]}.`;
    case 'schedule':
      return `The card is charged on ${instant(action.time.atMs, timeZone)}, ${orderCopy[action.initiator]}.`;
    case 'hold':
      return `The amount is held on the card until ${instant(action.time.atMs, timeZone)}, or earlier if the bank says so, ${orderCopy[action.initiator]}. Nothing is charged yet.`;
    case 'capture':
      return action.amountMinor === null
        ? 'The whole amount that is held is charged.'
        : `${money(action.amountMinor, currency)} of what is held is charged, and its fees; the rest is released.`;
    case 'release':
      return 'The held amount is let go. Nothing is charged.';
    case 'refund':
      return `${money(action.amountMinor, currency)} goes back to the card. This cannot be undone.`;
    case 'cancelSchedule':
      return 'This charge will not take place.';
    case 'cancelSchedules':
      return 'None of the scheduled charges of this booking will take place.';
    case 'requestCard':
      return 'The guest gets an e-mail with a link to add a card. Nothing is charged.';
    case 'makeLink':
      return 'You get a link to the guest’s payment page, which works for 30 days.';
    case 'resolve':
      return `${resolutionCopy[action.outcome]} The acquirer is asked once more first: a certain answer of it counts more. The reason is kept: ${action.reason}`;
  }
}

const orderCopy = {
  property: 'by the agreement that was made when the card was saved',
  phone: 'as an order of the guest by phone or mail',
} as const;

const resolutionCopy = {
  Accepted: 'It counts as done from now on, and the PMS is told.',
  Declined: 'It counts as declined: no money was moved.',
  Failed: 'It counts as failed: no money was moved.',
} as const;
