import { type DeskAction, mayTry } from '../../../desk/actions.ts';
import { words } from '../../../desk/words.ts';
import { disputeFailure } from '../../../money/disputes/rules.ts';
import { isAtBank } from '../../../money/payments/rules.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { Hidden } from '../../web/forms.tsx';
import { CONSOLE_PATH, pathOf } from '../paths.ts';
import { useFile, useViewed } from '../site.tsx';

const { actions: copy } = words;

/** What can be done about one payment or refund: a link each, to its form or to the page that asks for confirmation. */
export function FollowUps({ row }: { readonly row: TransactionRow | RefundRow }) {
  const { person } = useViewed();
  const { disputes } = useFile();
  const possible = followUpsOf(row, disputes).filter((action) => mayTry(person, action));
  // An empty cell is left out on a phone.
  if (possible.length === 0) return null;
  return (
    <div class="row">
      {possible.map((action) => (
        <ActionLink action={action} chargeId={row.id} />
      ))}
    </div>
  );
}

/** The words of the links to what can be done about a payment. */
type FollowUp = keyof typeof copy.short;

/** What a payment's state leaves to do, whoever does it. What is disputed is not refunded. */
export function followUpsOf(
  row: TransactionRow | RefundRow,
  disputes: Parameters<typeof disputeFailure>[1],
): readonly FollowUp[] {
  if (row.status === 'Processing') {
    // A guest who is at their bank decides it: nobody else does.
    return 'bankAskedAtMs' in row && isAtBank(row) ? [] : ['resolve'];
  }
  if (!('kind' in row)) return [];
  switch (row.status) {
    case 'Accepted':
      return row.refundReservedMinor < row.amountMinor && disputeFailure(row.id, disputes) === null
        ? ['refund']
        : [];
    case 'Authorized':
      return ['capture', 'release'];
    case 'Pending':
      return ['cancelSchedule'];
    default:
      return [];
  }
}

function ActionLink({
  action,
  chargeId,
}: {
  readonly action: FollowUp;
  readonly chargeId: number;
}) {
  const { booking, property } = useFile().state;
  const hasForm = action === 'refund' || action === 'capture' || action === 'resolve';
  const asked = { property: property.id, reference: booking.reference, do: action };
  return (
    <a
      class="quiet"
      href={pathOf(hasForm ? 'form' : 'confirm', { ...asked, chargeId: String(chargeId) })}
    >
      {copy.short[action]}
      <span class="unseen"> {copy.ofPayment({ id: String(chargeId) })}</span>
    </a>
  );
}

/** A button that leads to the page which asks for confirmation. */
export function Step({
  action,
  label,
}: {
  readonly action: DeskAction['do'];
  readonly label: string;
}) {
  return (
    <form method="get" action={`${CONSOLE_PATH}/confirm`} class="actions">
      <Named action={action} />
      <button type="submit">{label}</button>
    </form>
  );
}

/** The hidden fields that say which booking, what, and which payment. */
export function Named({
  action,
  chargeId,
}: {
  readonly action: DeskAction['do'];
  readonly chargeId?: string | undefined;
}) {
  const { booking, property } = useFile().state;
  const named = { property: property.id, reference: booking.reference, do: action };
  return <Hidden fields={{ ...named, ...(chargeId !== undefined && { chargeId }) }} />;
}
