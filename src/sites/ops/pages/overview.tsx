import { Notice } from '../../web/notice.tsx';
import { Instant } from '../../web/table.tsx';
import type { Overview } from '../readOverview.ts';
import { OPS_PATH } from '../session.ts';
import { DisbursementsPart, RunsPart } from './daily.tsx';
import { OpsLayout } from './layout.tsx';
import { UnknownPart, UpcomingPart, WarnedPart } from './operations.tsx';
import { OutboxPart } from './outbox.tsx';
import { OutcomesPart } from './outcomes.tsx';
import { ReconciliationPart } from './reconciliation.tsx';

/** The result of the administrator's last change. */
export interface ChangeResult {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

/** The operations page. */
export function OverviewPage({
  overview,
  signedInAs,
  result,
}: {
  readonly overview: Overview;
  readonly signedInAs: string;
  readonly result: ChangeResult | null;
}) {
  return (
    <OpsLayout title="Operations" signedInAs={signedInAs}>
      {result && (
        <Notice kind={result.kind}>
          <p>{result.text}</p>
        </Notice>
      )}
      <p class="soft">
        As of <Instant atMs={overview.nowMs} />. All times are UTC. <a href={OPS_PATH}>Refresh</a>
      </p>
      <OutcomesPart outcomes={overview.outcomes} />
      <UnknownPart unknown={overview.unknown} />
      <ReconciliationPart reconciled={overview.reconciled} />
      <UpcomingPart upcoming={overview.upcoming} />
      <WarnedPart warned={overview.warned} />
      <OutboxPart depth={overview.depth} backlogs={overview.backlogs} dead={overview.dead} />
      <RunsPart runs={overview.runs} />
      <DisbursementsPart disbursements={overview.disbursements} />
    </OpsLayout>
  );
}
