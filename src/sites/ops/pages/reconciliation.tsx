import { money } from '../../../core/format.ts';
import { exponentOf } from '../../../core/money.ts';
import type {
  ExceptionRow,
  ExceptionSide,
  ReconciliationRunRow,
} from '../../../platform/db/reconciliationTables.ts';
import { EmptyNote, Instant, Table } from '../../web/table.tsx';
import { MOST_SHOWN, type Reconciled } from '../readOverview.ts';
import { OPS_PATH } from '../session.ts';

/** How the acquirer's record and ours compare, with a form to accept each difference. */
export function ReconciliationPart({ reconciled }: { readonly reconciled: Reconciled }) {
  const { more, open, runs } = reconciled;
  return (
    <section aria-labelledby="reconciliation">
      <h2 id="reconciliation">Reconciliation</h2>
      {open.length === 0 ? (
        <EmptyNote text="The acquirer's record and ours agree, as far as they were compared." />
      ) : (
        <ExceptionTable open={open} />
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

function ExceptionTable({ open }: { readonly open: readonly ExceptionRow[] }) {
  return (
    <Table
      caption={`Differences, the oldest first, at most ${MOST_SHOWN.exceptions} shown`}
      columns={['Id', 'Kind', 'Property', 'Booking', 'Found', 'Ours', 'Theirs', 'Detail', 'Action']}
    >
      {open.map((one) => (
        <tr>
          <th scope="row" class="name">
            {one.id}
          </th>
          <td>{one.kind}</td>
          <td class="name">{one.propertyId ?? '–'}</td>
          <td class="name">
            <bdi>{one.bookingReference ?? '–'}</bdi>
          </td>
          <td>
            <Instant atMs={one.foundAtMs} />
          </td>
          <td class="name">{sideText(one.ours)}</td>
          <td class="name">{sideText(one.theirs)}</td>
          <td class="name">{one.detail}</td>
          <td>
            <AcceptForm id={one.id} />
          </td>
        </tr>
      ))}
    </Table>
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
    <Table
      caption={`The newest comparisons, at most ${MOST_SHOWN.comparisons} shown`}
      columns={[
        'Started',
        'Cause',
        'Account',
        'State',
        '#Compared',
        '#Corrected',
        '#Exceptions',
        'Last error',
      ]}
    >
      {runs.map((run) => (
        <tr>
          <th scope="row">
            <Instant atMs={run.startedAtMs} />
          </th>
          <td>{run.cause}</td>
          <td class="name">{run.account ?? run.gateway}</td>
          <td>{run.phase}</td>
          <td class="number">{run.compared}</td>
          <td class="number">{run.corrected}</td>
          <td class="number">{run.exceptions}</td>
          <td class="name">{run.lastError ?? '–'}</td>
        </tr>
      ))}
    </Table>
  );
}
