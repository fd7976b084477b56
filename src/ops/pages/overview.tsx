import { Notice } from '../../pages/notice.tsx';
import type { Overview } from '../overview.ts';
import { OPS_PATH } from '../session.ts';
import { DisbursementsPart, RunsPart } from './daily.tsx';
import { OpsLayout } from './layout.tsx';
import { OpenPart, UpcomingPart } from './operations.tsx';
import { OutboxPart } from './outbox.tsx';
import { OutcomesPart } from './outcomes.tsx';
import { Instant } from './table.tsx';

/** What came of something that an administrator has just asked for. */
export interface Happened {
  readonly kind: 'good' | 'bad';
  readonly words: string;
}

/** All that there is to see. */
export function OverviewPage({
  overview,
  signedInAs,
  happened,
}: {
  readonly overview: Overview;
  readonly signedInAs: string;
  readonly happened: Happened | null;
}) {
  return (
    <OpsLayout title="Operations" signedInAs={signedInAs}>
      {happened && (
        <Notice kind={happened.kind}>
          <p>{happened.words}</p>
        </Notice>
      )}
      <p class="soft">
        As of <Instant atMs={overview.nowMs} />. All times are UTC.{' '}
        <a href={OPS_PATH}>Look again</a>
      </p>
      <OutcomesPart outcomes={overview.outcomes} />
      <OpenPart open={overview.open} />
      <UpcomingPart upcoming={overview.upcoming} />
      <OutboxPart depth={overview.depth} backlogs={overview.backlogs} dead={overview.dead} />
      <RunsPart runs={overview.runs} />
      <DisbursementsPart disbursements={overview.disbursements} />
    </OpsLayout>
  );
}
