import { mayTry } from '../../../desk/actions.ts';
import { words } from '../../../desk/words.ts';
import { disputeFailure } from '../../../money/disputes/rules.ts';
import { isAtBank } from '../../../money/payments/rules.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { ButtonForm } from '../../web/forms.tsx';
import { CONSOLE_PATH, disputePath, pathOf } from '../paths.ts';
import { useFile, useViewed } from '../site.tsx';

const { actions: copy } = words;

/**
 * What can be done about one payment or refund: a link each, to its form, to the page that asks for confirmation, or to its
 * dispute.
 */
export function FollowUps({ row }: { readonly row: TransactionRow | RefundRow }) {
  const { person } = useViewed();
  const { disputes } = useFile();
  const named = useNamed();
  const chargeId = String(row.id);
  const possible = followUpsOf(row, disputes).filter((action) => mayTry(person, action));
  const disputed = disputes.filter(
    ({ transactionId }) => 'kind' in row && transactionId === row.id,
  );
  // An empty cell is left out on a phone.
  if (possible.length + disputed.length === 0) return null;
  return (
    <div class="row">
      {possible.map((action) => (
        <a
          class="quiet"
          href={pathOf(withForm.has(action) ? 'form' : 'confirm', {
            ...named,
            do: action,
            chargeId,
          })}
        >
          {copy.short[action]}
          <span class="unseen"> {copy.ofPayment({ id: chargeId })}</span>
        </a>
      ))}
      {disputed.map(({ id }) => (
        <a class="quiet" href={disputePath(named.property, id)}>
          {words.disputes.id}
          <span class="unseen"> {id}</span>
        </a>
      ))}
    </div>
  );
}

/** The words of the links to what can be done about a payment. */
type FollowUp = keyof typeof copy.short;

/** What asks for more than a confirmation. */
const withForm: ReadonlySet<FollowUp> = new Set(['refund', 'capture', 'resolve']);

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

/** A button that leads to the page which asks for confirmation. */
export function Step({ action }: { readonly action: keyof typeof copy.titles }) {
  const fields = { ...useNamed(), do: action };
  const text = copy.titles[action];
  return <ButtonForm method="get" action={`${CONSOLE_PATH}/confirm`} fields={fields} text={text} />;
}

/** Which booking an action is about, as its form or its address says it. */
export function useNamed() {
  const { booking, property } = useFile().state;
  return { property: property.id, reference: booking.reference };
}
