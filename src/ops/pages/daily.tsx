import type { DisbursementRow } from '../../db/disbursementTables.ts';
import type { ExportRunRow } from '../../db/exportTables.ts';
import { money } from '../../pages/format.ts';
import { Instant, Nothing, Table } from './table.tsx';

/** Export runs that go on or failed of late, then the newest, and how far each is. */
export function RunsPart({ runs }: { readonly runs: readonly ExportRunRow[] }) {
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Export runs</h2>
      {runs.length === 0 ? (
        <Nothing words="No export was run yet." />
      ) : (
        <Table
          caption="Running, then failed in the last 7 days, then the newest"
          columns={['Begun', 'Portfolio', 'File', 'Day', 'Status', 'Progress', 'What holds it up']}
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

/** A run of nothing is at its end as soon as it is complete. */
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
        <Nothing words="Nothing was paid out yet." />
      ) : (
        <Table
          caption="The newest"
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
