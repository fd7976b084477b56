import { instant, money } from '../../../core/format.ts';
import type { DeskAction } from '../../../desk/actions.ts';
import type { Preview } from '../../../desk/preview.ts';
import type { DecidedCapture } from '../../../money/payments/rules/decideCapture.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
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
  notice,
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
  /** Why it is asked again; left out the first time. */
  readonly notice?: string;
}) {
  const { about, capture, quote, refusals } = preview;
  const warnings = [...(quote?.warnings ?? []), ...(capture?.warnings ?? [])];
  const sent = {
    ...fields,
    key: formKey,
    ...(quote && { quoteId: quote.quoteId }),
  };
  return (
    <ConsoleLayout title={confirmTitles[action.do]} person={person} property={property}>
      <p>
        Booking <a href={bookingPath(property.id, reference)}>{reference}</a>, {property.name}
      </p>
      {notice !== undefined && (
        <Notice kind="bad">
          <p>{notice}</p>
        </Notice>
      )}
      {refusals.map(({ detail }) => (
        <Notice kind="bad">
          <p>{detail}</p>
        </Notice>
      ))}
      {warnings.map((warning) => (
        <Notice kind="info">
          <p>{warningCopy[warning]}</p>
        </Notice>
      ))}
      <section aria-labelledby="what">
        <h2 id="what">What will happen</h2>
        <p>{capture ? captureCopy(capture, about, property) : sentenceOf(action, property)}</p>
        {about.map((row) => (
          <p>{describe(row, property)}</p>
        ))}
        {quote && (
          <dl>
            <Price priced={quote.priced} currency={property.currency} />
            <Fact name="Due before">{money(quote.dueBeforeMinor, property.currency)}</Fact>
            <Fact name="Due after">{money(quote.dueAfterMinor, property.currency)}</Fact>
          </dl>
        )}
        {capture && (
          <dl>
            <Price priced={capture.priced} currency={property.currency} />
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

function Price({ priced, currency }: { readonly priced: Priced; readonly currency: string }) {
  return (
    <>
      <Fact name="Amount">{money(priced.requestedMinor, currency)}</Fact>
      <Fact name="Fees">{money(priced.cardFeeMinor + priced.transactionFeeMinor, currency)}</Fact>
      <Fact name="The card pays">
        <strong>{money(priced.amountMinor, currency)}</strong>
      </Fact>
    </>
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
  const made = madeCopy(row, timeZone);
  const back = 'refundReservedMinor' in row && row.refundReservedMinor > 0;
  return back
    ? `${name}, ${money(row.refundReservedMinor, row.currency)} of it refunded, ${made}.`
    : `${name}, ${made}.`;
}

/** A schedule that waits is about the time to come. */
function madeCopy(row: TransactionRow | RefundRow, timeZone: string): string {
  return row.status === 'Pending' && row.scheduledAtMs !== null
    ? `will be charged ${instant(row.scheduledAtMs, timeZone)}`
    : `made ${instant(row.createdAtMs, timeZone)}`;
}

const kindNames = {
  charge: 'Payment',
  schedule: 'Scheduled charge',
  authorization: 'Hold',
  refund: 'Refund',
} as const;

const warningCopy = {
  exceeds_due: 'This is more than what is due.',
  scheduled_exceeds_due:
    'More stays scheduled than is due then: cancel what is scheduled, or the guest pays twice.',
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
      return 'What is held is charged.';
    case 'release':
      return 'The held amount is let go. Nothing is charged.';
    case 'refund':
      return `${money(action.amountMinor, currency)} goes back to the card. This cannot be undone. ${waiveCopy(action.waive)}`;
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

/** Says how much of its hold a capture takes. */
function captureCopy(
  { priced }: DecidedCapture,
  [hold]: Preview['about'],
  { currency }: PropertyRow,
): string {
  const isWhole = hold && 'kind' in hold && priced.requestedMinor === hold.requestedMinor;
  return isWhole
    ? 'The whole amount that is held is charged.'
    : `${money(priced.requestedMinor, currency)} of what is held is charged, and its fees; the rest is released.`;
}

function waiveCopy(waive: boolean): string {
  return waive
    ? 'The stay costs that much less: it is not due again.'
    : 'The stay costs the same: the amount is due again.';
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
