import { type DeskAction, mayTry } from '../../../desk/actions.ts';
import { words } from '../../../desk/words.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { Field, Hidden } from '../../web/forms.tsx';
import { CONSOLE_PATH } from '../paths.ts';
import { useFile, useViewed } from '../site.tsx';

const { actions: copy } = words;

/** What can be done about one payment. */
export function PaymentActions({ row }: { readonly row: TransactionRow }) {
  const { person } = useViewed();
  const amounts = row.status === 'Accepted' ? 'refund' : 'capture';
  const withAmount =
    (row.status === 'Accepted' && row.refundReservedMinor < row.amountMinor) ||
    row.status === 'Authorized';
  const without = row.status === 'Authorized' ? 'release' : 'cancelSchedule';
  const hasOther = row.status === 'Authorized' || row.status === 'Pending';
  const mayMove = withAmount && mayTry(person, amounts);
  const mayEnd = hasOther && mayTry(person, without);
  // An empty cell is left out on a phone.
  if (!mayMove && !mayEnd && row.status !== 'Processing') return null;
  return (
    <div class="row">
      {mayMove && (
        <form method="get" action={`${CONSOLE_PATH}/confirm`} class="actions">
          <Named action={amounts} chargeId={row.id} />
          <label for={`amount-${row.id}`} class="unseen">
            {copy.amountTo[amounts]({ id: String(row.id) })}
          </label>
          <input
            id={`amount-${row.id}`}
            name="amount"
            inputmode="decimal"
            autocomplete="off"
            placeholder={copy.amountPlaceholder}
            required={amounts === 'refund'}
          />
          {amounts === 'refund' && (
            <label>
              <input type="checkbox" name="waive" value="1" /> {copy.costsLess}
            </label>
          )}
          <button type="submit">
            {copy.short[amounts]}
            <span class="unseen"> {copy.ofPayment({ id: String(row.id) })}</span>
          </button>
        </form>
      )}
      <ResolveManually row={row} />
      {mayEnd && <Step action={without} label={copy.short[without]} chargeId={row.id} />}
    </div>
  );
}

/** The form that ends by hand what got no answer; it leads to a page that asks for confirmation. */
export function ResolveManually({ row }: { readonly row: TransactionRow | RefundRow }) {
  if (row.status !== 'Processing' || !mayTry(useViewed().person, 'resolve')) return null;
  const id = (field: string) => `resolve-${row.id}-${field}`;
  return (
    <details>
      <summary>
        {copy.resolve.summary}
        <span class="unseen"> {row.id}</span>
      </summary>
      <form method="get" action={`${CONSOLE_PATH}/confirm`} class="action">
        <Named action="resolve" chargeId={row.id} />
        <Choice
          id={id('outcome')}
          name="outcome"
          label={copy.resolve.outcome}
          choices={copy.resolve.outcomes}
        />
        <Field id={id('reference')} label={copy.resolve.reference}>
          <input id={id('reference')} name="gatewayReference" autocomplete="off" />
        </Field>
        <Field id={id('reason')} label={copy.resolve.reason}>
          <input id={id('reason')} name="reason" maxlength={500} autocomplete="off" required />
        </Field>
        <button type="submit">{copy.continue}</button>
      </form>
    </details>
  );
}

/** A field of one of several choices, each by its word. */
export function Choice({
  id,
  name,
  label,
  choices,
}: {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly choices: Readonly<Record<string, string>>;
}) {
  return (
    <Field id={id} label={label}>
      <select id={id} name={name}>
        {Object.entries(choices).map(([value, word]) => (
          <option value={value}>{word}</option>
        ))}
      </select>
    </Field>
  );
}

/** What a form asks for, about which payment. */
interface Asked {
  readonly action: DeskAction['do'];
  readonly chargeId?: number;
}

/** A button that leads to the page which asks for confirmation. */
export function Step({ label, ...asked }: Asked & { readonly label: string }) {
  const { chargeId } = asked;
  return (
    <form method="get" action={`${CONSOLE_PATH}/confirm`} class="actions">
      <Named {...asked} />
      <button type="submit">
        {label}
        {chargeId !== undefined && (
          <span class="unseen"> {copy.ofPayment({ id: String(chargeId) })}</span>
        )}
      </button>
    </form>
  );
}

/** The hidden fields that say which booking, what, and which payment. */
export function Named({ action, chargeId }: Asked) {
  const { booking, property } = useFile().state;
  const named = { property: property.id, reference: booking.reference, do: action };
  return (
    <Hidden fields={{ ...named, ...(chargeId !== undefined && { chargeId: String(chargeId) }) }} />
  );
}
