import { money } from '../../../core/format.ts';
import { exponentOf } from '../../../core/money.ts';
import type {
  ExceptionRow,
  ExceptionSide,
  ReconciliationRunRow,
} from '../../../schema/reconciliationTables.ts';
import { EmptyNote } from '../../web/table.tsx';
import { MOST_SHOWN, type Reconciled } from '../overview.ts';
import { OPS_PATH } from '../session.ts';
import { At, type Zones } from './at.tsx';
import { BookingLink } from './bookingLink.tsx';
import { CardTable } from './cardTable.tsx';

/** How the acquirer's record and ours compare, with a form to accept each difference. */
export function ReconciliationPart({
  reconciled,
  zones,
}: {
  readonly reconciled: Reconciled;
  readonly zones: Zones;
}) {
  const { more, open, runs } = reconciled;
  return (
    <section aria-labelledby="reconciliation">
      <h2 id="reconciliation">Reconciliation</h2>
      {open.length === 0 ? (
        <EmptyNote text="The acquirer's record and ours agree, as far as they were compared." />
      ) : (
        <ExceptionTable open={open} zones={zones} />
      )}
      {more && <p class="soft">There are more differences than this list shows.</p>}
      {runs.length === 0 ? (
        <EmptyNote text="Nothing was compared yet." />
      ) : (
        <ComparisonTable runs={runs} />
      )}
    </section>
  );
}

function ExceptionTable({
  open,
  zones,
}: {
  readonly open: readonly ExceptionRow[];
  readonly zones: Zones;
}) {
  return (
    <CardTable
      caption={`Differences, the oldest first, at most ${MOST_SHOWN.exceptions} shown`}
      columns={[
        'Booking',
        'Kind',
        'Ours',
        'Theirs',
        'Actions',
        'Detail',
        'Found',
        'Property',
        'Id',
      ]}
      rows={open.map((one) => [
        <BookingLink property={one.propertyId} reference={one.bookingReference} />,
        one.kind,
        sideText(one.ours),
        sideText(one.theirs),
        <AcceptForm id={one.id} />,
        one.detail,
        <At atMs={one.foundAtMs} zones={zones} property={one.propertyId} />,
        one.propertyId ?? '–',
        one.id,
      ])}
    />
  );
}

function sideText(side: ExceptionSide | null): string {
  if (side === null) return '–';
  const { amountMinor, currency, id, status } = side;
  const isKnown = amountMinor !== null && currency !== null && exponentOf(currency) !== null;
  const amount = isKnown ? money(amountMinor, currency) : '';
  return [status, amount, id ?? ''].filter((part) => part !== '').join(', ');
}

function AcceptForm({ id }: { readonly id: string }) {
  return (
    <form method="post" action={`${OPS_PATH}/reconciliation/accept`} class="actions">
      <input type="hidden" name="exceptionId" value={id} />
      <input name="reason" required maxlength={500} aria-label={`Reason to accept ${id}`} />
      <button type="submit">
        Accept <span class="unseen">{id}</span>
      </button>
    </form>
  );
}

function ComparisonTable({ runs }: { readonly runs: readonly ReconciliationRunRow[] }) {
  return (
    <CardTable
      caption={`The newest comparisons, at most ${MOST_SHOWN.comparisons} shown`}
      columns={[
        'Started',
        'State',
        '#Exceptions',
        '#Corrected',
        '#Compared',
        'Cause',
        'Account',
        'Error',
      ]}
      rows={runs.map((run) => [
        <At atMs={run.startedAtMs} />,
        run.phase,
        run.exceptions,
        run.corrected,
        run.compared,
        run.cause,
        run.account ?? run.gateway,
        run.lastError ?? '–',
      ])}
    />
  );
}
