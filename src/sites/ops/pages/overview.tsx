import { Notice } from '../../web/notice.tsx';
import type { Overview } from '../overview.ts';
import { OPS_PATH } from '../session.ts';
import { At } from './at.tsx';
import { DisbursementsPart, RunsPart } from './daily.tsx';
import { EndpointsPart } from './endpoints.tsx';
import { OpsLayout } from './layout.tsx';
import { UnknownPart, UpcomingPart, WarnedPart } from './operations.tsx';
import { OutboxPart } from './outbox.tsx';
import { OutcomesPart } from './outcomes.tsx';
import { ReconciliationPart } from './reconciliation.tsx';
import { DisputesPart, FailedPart, RefundsPart } from './trouble.tsx';

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
  const { zones } = overview;
  return (
    <OpsLayout title="Operations" signedInAs={signedInAs}>
      {result && (
        <Notice kind={result.kind}>
          <p>{result.text}</p>
        </Notice>
      )}
      <p class="soft">
        As of <At atMs={overview.nowMs} />. What belongs to a property is in its own time zone.{' '}
        <a href={OPS_PATH}>Refresh</a>
      </p>
      <OutcomesPart outcomes={overview.outcomes} />
      <UnknownPart unknown={overview.unknown} zones={zones} />
      <FailedPart failed={overview.failed} zones={zones} />
      <RefundsPart refunds={overview.refunds} zones={zones} />
      <DisputesPart disputes={overview.disputes} zones={zones} />
      <ReconciliationPart reconciled={overview.reconciled} zones={zones} />
      <OutboxPart
        depth={overview.depth}
        backlogs={overview.backlogs}
        dead={overview.dead}
        zones={zones}
      />
      <EndpointsPart endpoints={overview.endpoints} zones={zones} />
      <UpcomingPart upcoming={overview.upcoming} zones={zones} />
      <WarnedPart warned={overview.warned} zones={zones} />
      <RunsPart runs={overview.runs} />
      <DisbursementsPart disbursements={overview.disbursements} zones={zones} />
    </OpsLayout>
  );
}
