import { money } from '../../../core/format.ts';
import type { DisbursementRow } from '../../../platform/db/disbursementTables.ts';
import type { ExportRunRow } from '../../../platform/db/exportTables.ts';
import { EmptyNote, Instant, Table } from '../../web/table.tsx';

/** Export runs: running, then recently failed, then the newest, each with its progress. */
export function RunsPart({ runs }: { readonly runs: readonly ExportRunRow[] }) {
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Export runs</h2>
      {runs.length === 0 ? (
        <EmptyNote text="No export has run yet." />
      ) : (
        <Table
          caption="Running first, then failed in the last 7 days, then the newest"
          columns={['Started', 'Portfolio', 'File', 'Day', 'Status', 'Progress', 'Last error']}
        >
          {runs.map((run) => (
            <tr>
              <th scope="row">
                <Instant atMs={run.startedAtMs} />
              </th>
              <td class="name">{run.portfolio}</td>
              <td>{run.variant}</td>
              <td>{run.date}</td>
              <td>{run.status}</td>
              <td>
                <Progress run={run} />
              </td>
              <td class="name">{run.failure}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** Shows a complete run as full, even if it has no rows. */
function Progress({ run }: { readonly run: ExportRunRow }) {
  const most = Math.max(1, run.expectedRows, run.rows);
  const value = run.status === 'Complete' ? most : run.rows;
  return (
    <>
      <progress value={value} max={most} aria-label={`Rows of the ${run.variant} file`}></progress>{' '}
      {run.rows} of {Math.max(run.expectedRows, run.rows)} rows
    </>
  );
}

/** The newest disbursements. */
export function DisbursementsPart({
  disbursements,
}: {
  readonly disbursements: readonly DisbursementRow[];
}) {
  return (
    <section aria-labelledby="disbursements">
      <h2 id="disbursements">Disbursements</h2>
      {disbursements.length === 0 ? (
        <EmptyNote text="There are no payouts yet." />
      ) : (
        <Table
          caption="The newest disbursements"
          columns={['Effective', 'Property', 'Id', 'Status', '#Gross', '#Fee', '#Net', 'Arrival']}
        >
          {disbursements.map((row) => (
            <tr>
              <th scope="row">
                <Instant atMs={row.effectiveAtMs} />
              </th>
              <td class="name">{row.propertyId}</td>
              <td class="name">{row.id}</td>
              <td>{row.status}</td>
              {[row.grossMinor, row.feeMinor, row.netMinor].map((minor) => (
                <td class="number">{money(minor, row.currency)}</td>
              ))}
              <td>{row.arrivalDate}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
