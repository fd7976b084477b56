import { MOST_SHOWN, type Overview } from '../../../desk/operations/overview.ts';
import { words } from '../../../desk/words.ts';
import type { ExportRunRow } from '../../../schema/exportTables.ts';
import type { ReconciliationRunRow } from '../../../schema/reconciliationTables.ts';
import { TableSection } from '../../web/table.tsx';
import { utcColumn } from './operations.tsx';

const { comparisons: copy, runs: exported } = words.ops;

/** The newest comparisons of the acquirer's record with ours. */
export function ComparisonsPart({ comparisons }: Pick<Overview, 'comparisons'>) {
  return (
    <TableSection
      id="comparisons"
      heading={copy.heading}
      caption={copy.caption({ most: String(MOST_SHOWN.comparisons) })}
      rows={comparisons}
      empty={copy.empty}
      columns={[
        utcColumn<ReconciliationRunRow>(copy.started, ({ startedAtMs }) => startedAtMs),
        { name: copy.state, text: ({ phase }) => phase },
        { name: copy.exceptions, isNumber: true, text: ({ exceptions }) => exceptions },
        { name: copy.corrected, isNumber: true, text: ({ corrected }) => corrected },
        { name: copy.compared, isNumber: true, text: ({ compared }) => compared },
        { name: copy.cause, text: ({ cause }) => cause },
        { name: copy.account, text: ({ account, gateway }) => account ?? gateway },
        { name: copy.error, text: ({ lastError }) => lastError ?? '–' },
      ]}
    />
  );
}

/** Export runs: running, then recently failed, then the newest, each with its progress. */
export function RunsPart({ runs }: Pick<Overview, 'runs'>) {
  return (
    <TableSection
      id="runs"
      heading={exported.heading}
      caption={exported.caption}
      rows={runs}
      empty={exported.empty}
      columns={[
        utcColumn<ExportRunRow>(exported.started, ({ startedAtMs }) => startedAtMs),
        { name: exported.portfolio, text: ({ portfolio }) => portfolio },
        { name: exported.file, text: ({ variant }) => variant },
        { name: exported.day, text: ({ date }) => date },
        { name: exported.status, text: ({ status }) => status },
        { name: exported.progress, cell: (run) => <Progress run={run} /> },
        { name: exported.error, text: ({ failure }) => failure },
      ]}
    />
  );
}

/** Shows a complete run as full, even if it has no rows. */
function Progress({ run }: { readonly run: ExportRunRow }) {
  const most = Math.max(1, run.expectedRows, run.rows);
  const value = run.status === 'Complete' ? most : run.rows;
  const expected = String(Math.max(run.expectedRows, run.rows));
  return (
    <span>
      <progress
        value={value}
        max={most}
        aria-label={exported.rowsOf({ file: run.variant })}
      ></progress>{' '}
      {exported.rows({ rows: String(run.rows), expected })}
    </span>
  );
}
