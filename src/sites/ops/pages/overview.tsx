import { MOST_SHOWN, type Overview } from '../../../desk/operations/overview.ts';
import { words } from '../../../desk/words.ts';
import { coming } from '../../console/lists/coming.tsx';
import { differences } from '../../console/lists/differences.tsx';
import { disputes } from '../../console/lists/disputes.tsx';
import { failedPayments, failedRefunds } from '../../console/lists/failed.tsx';
import { ListSection, type StaffList } from '../../console/lists/list.tsx';
import { payouts } from '../../console/lists/payouts.tsx';
import { listPath, OPS_PATH } from '../../console/paths.ts';
import { Notice } from '../../web/page.tsx';
import { Instant } from '../../web/table.tsx';
import { OpsLayout } from './layout.tsx';
import { RefundSums, UnknownPart, UpcomingSums, WarnedPart } from './operations.tsx';
import { EndpointsPart, OutboxPart } from './outbox.tsx';
import { OutcomesPart } from './outcomes.tsx';
import { ComparisonsPart, RunsPart } from './runs.tsx';

const { ops: copy } = words;

export interface ChangeResult {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

export function OverviewPage({
  overview,
  signedInAs,
  result,
}: {
  readonly overview: Overview;
  readonly signedInAs: string;
  readonly result: ChangeResult | null;
}) {
  const { lists, nowMs, zones } = overview;
  return (
    <OpsLayout title={copy.title} signedInAs={signedInAs}>
      {result && <Notice kind={result.kind} text={result.text} />}
      <p class="soft">
        {copy.asOf} <Instant atMs={nowMs} isZoned />. {copy.zones}{' '}
        <a href={OPS_PATH}>{copy.refresh}</a>
      </p>
      <OutcomesPart outcomes={overview.outcomes} />
      <UnknownPart unknown={overview.unknown} zones={zones} />
      <FirstOf list={failedPayments} path="failed" rows={lists.failed} nowMs={nowMs} />
      <RefundSums refundSums={overview.refundSums} />
      <FirstOf list={failedRefunds} path="failed" rows={lists.failedRefunds} nowMs={nowMs} />
      <FirstOf list={disputes} path="disputes" rows={lists.disputes} nowMs={nowMs} />
      <FirstOf list={differences} path="differences" rows={lists.differences} nowMs={nowMs} />
      <ComparisonsPart comparisons={overview.comparisons} />
      <OutboxPart
        depth={overview.depth}
        backlogs={overview.backlogs}
        dead={overview.dead}
        zones={zones}
      />
      <EndpointsPart endpoints={overview.endpoints} zones={zones} />
      <UpcomingSums upcoming={overview.upcoming} />
      <FirstOf list={coming} path="coming" rows={lists.coming} nowMs={nowMs} />
      <WarnedPart warned={overview.warned} zones={zones} />
      <RunsPart runs={overview.runs} />
      <FirstOf list={payouts} path="disbursements" rows={lists.payouts} nowMs={nowMs} />
    </OpsLayout>
  );
}

/** The first entries of a list of all properties, with the way to the others. */
function FirstOf<Row>({
  list,
  path,
  rows,
  nowMs,
}: {
  readonly list: StaffList<Row>;
  readonly path: string;
  readonly rows: readonly Row[];
  readonly nowMs: number;
}) {
  const first = rows.slice(0, MOST_SHOWN.listed);
  return (
    <ListSection view={{ shown: null, nowMs }} list={list} rows={first}>
      <p>
        <a href={listPath(null, path)}>
          {copy.whole}
          <span class="unseen">: {list.heading}</span>
        </a>
      </p>
    </ListSection>
  );
}
