import { type DeskAction, mayTry } from '../../../desk/actions.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { words } from '../../../desk/words.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { Field } from '../../web/forms.tsx';
import { CONSOLE_PATH } from '../paths.ts';

const { actions: copy } = words;

export interface FormsOf {
  readonly person: Person;
  readonly file: BookingFile;
}

/** What can be done about one payment. */
export function PaymentActions({ person, file, row }: FormsOf & { readonly row: TransactionRow }) {
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
          <Named file={file} action={amounts} chargeId={row.id} />
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
      <ResolveManually person={person} file={file} row={row} />
      {mayEnd && (
        <Step file={file} action={without} label={copy.short[without]} chargeId={row.id} />
      )}
    </div>
  );
}

/** The form that ends by hand what got no answer; it leads to a page that asks for confirmation. */
export function ResolveManually({
  person,
  file,
  row,
}: FormsOf & { readonly row: TransactionRow | RefundRow }) {
  if (row.status !== 'Processing' || !mayTry(person, 'resolve')) return null;
  const id = (field: string) => `resolve-${row.id}-${field}`;
  return (
    <details>
      <summary>
        {copy.resolve.summary}
        <span class="unseen"> {row.id}</span>
      </summary>
      <form method="get" action={`${CONSOLE_PATH}/confirm`} class="action">
        <Named file={file} action="resolve" chargeId={row.id} />
        <Field id={id('outcome')} label={copy.resolve.outcome}>
          <select id={id('outcome')} name="outcome">
            {Object.entries(copy.resolve.outcomes).map(([outcome, name]) => (
              <option value={outcome}>{name}</option>
            ))}
          </select>
        </Field>
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

/** A button that leads to the page which asks for confirmation. */
export function Step({
  file,
  action,
  label,
  chargeId,
}: {
  readonly file: BookingFile;
  readonly action: DeskAction['do'];
  readonly label: string;
  readonly chargeId?: number;
}) {
  return (
    <form method="get" action={`${CONSOLE_PATH}/confirm`} class="actions">
      <Named file={file} action={action} {...(chargeId !== undefined && { chargeId })} />
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
export function Named({
  file: { state },
  action,
  chargeId,
}: {
  readonly file: BookingFile;
  readonly action: DeskAction['do'];
  readonly chargeId?: number;
}) {
  return (
    <>
      <input type="hidden" name="property" value={state.property.id} />
      <input type="hidden" name="reference" value={state.booking.reference} />
      <input type="hidden" name="do" value={action} />
      {chargeId !== undefined && <input type="hidden" name="chargeId" value={String(chargeId)} />}
    </>
  );
}
