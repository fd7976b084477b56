import { money } from '../../../core/format.ts';
import type { DisbursementRow } from '../../../schema/disbursementTables.ts';
import type { ExportRunRow } from '../../../schema/exportTables.ts';
import { disbursementPath } from '../../console/paths.ts';
import { EmptyNote } from '../../web/table.tsx';
import { At, type Zones } from './at.tsx';
import { CardTable } from './cardTable.tsx';

/** Export runs: running, then recently failed, then the newest, each with its progress. */
export function RunsPart({ runs }: { readonly runs: readonly ExportRunRow[] }) {
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Export runs</h2>
      {runs.length === 0 ? (
        <EmptyNote text="No export has run yet." />
      ) : (
        <CardTable
          caption="Running first, then failed in the last 7 days, then the newest"
          columns={['Started', 'Portfolio', 'File', 'Day', 'Status', 'Progress', 'Error']}
          rows={runs.map((run) => [
            <At atMs={run.startedAtMs} />,
            run.portfolio,
            run.variant,
            run.date,
            run.status,
            <Progress run={run} />,
            run.failure,
          ])}
        />
      )}
    </section>
  );
}

/** Shows a complete run as full, even if it has no rows. */
function Progress({ run }: { readonly run: ExportRunRow }) {
  const most = Math.max(1, run.expectedRows, run.rows);
  const value = run.status === 'Complete' ? most : run.rows;
  return (
    <span>
      <progress value={value} max={most} aria-label={`Rows of the ${run.variant} file`}></progress>{' '}
      {run.rows} of {Math.max(run.expectedRows, run.rows)} rows
    </span>
  );
}

/** The newest disbursements. */
export function DisbursementsPart({
  disbursements,
  zones,
}: {
  readonly disbursements: readonly DisbursementRow[];
  readonly zones: Zones;
}) {
  return (
    <section aria-labelledby="disbursements">
      <h2 id="disbursements">Disbursements</h2>
      {disbursements.length === 0 ? (
        <EmptyNote text="There are no payouts yet." />
      ) : (
        <CardTable
          caption="The newest disbursements"
          columns={['Effective', 'Property', '#Net', 'Status', '#Gross', '#Fee', 'Arrival', 'Id']}
          rows={disbursements.map((row) => [
            <At atMs={row.effectiveAtMs} zones={zones} property={row.propertyId} />,
            row.propertyId,
            money(row.netMinor, row.currency),
            row.status,
            money(row.grossMinor, row.currency),
            money(row.feeMinor, row.currency),
            row.arrivalDate,
            <a href={disbursementPath(row.propertyId, row.id)}>{row.id}</a>,
          ])}
        />
      )}
    </section>
  );
}
