import type { DeskAction } from '../../../desk/actions.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { words } from '../../../desk/words.ts';
import { CONSOLE_PATH } from '../paths.ts';

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
          <span class="unseen"> {words.actions.ofPayment({ id: String(chargeId) })}</span>
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
