import type { Child } from 'hono/jsx';
import { wordFor } from '../../core/words/staff.ts';
import { money } from '../../desk/format.ts';
import { MOST_SHOWN, type Overview } from '../../desk/operations/overview.ts';
import { MOST_SUMMED } from '../../desk/operations/store.ts';
import { type Trouble, troublesOf } from '../../desk/operations/verdict.ts';
import { words } from '../../desk/words.ts';
import type { ExportRunRow } from '../../schema/exportTables.ts';
import type { ReconciliationRunRow } from '../../schema/reconciliationTables.ts';
import { failedPayments, failedRefunds } from '../console/lists/attention.tsx';
import {
  bookingColumn,
  listedTime,
  more,
  propertyColumn,
  zonedTime,
} from '../console/lists/columns.tsx';
import { differences } from '../console/lists/differences.tsx';
import { ListSection, type StaffList } from '../console/lists/list.tsx';
import { coming, disputes } from '../console/lists/payments.tsx';
import { payouts } from '../console/lists/payouts.tsx';
import { listPath, OPS_PATH } from '../console/paths.ts';
import { Notice, type Said, Section } from '../web/page.tsx';
import { Instant, type PagePart, Parts, TableSection } from '../web/table.tsx';
import { EndpointsPart, OutboxPart } from './outbox.tsx';
import { OutcomesPart } from './outcomes.tsx';

const { columns: names, ops: copy } = words;

export function OverviewParts({
  overview,
  result,
}: Readonly<{ overview: Overview; result: Said | null }>) {
  const { nowMs } = overview;
  return (
    <>
      {result && <Notice {...result} />}
      <p class="soft" data-refresh>
        {copy.asOf} <Instant atMs={nowMs} isZoned />. {copy.zones}{' '}
        <a href={OPS_PATH}>{copy.refresh}</a>
      </p>
      <Verdict troubles={troublesOf(overview)} />
      <Parts parts={partsOf(overview)} />
    </>
  );
}

/** Whether everything works, in the first line; else what does not, and why, with the way there. */
function Verdict({ troubles }: { readonly troubles: readonly Trouble[] }) {
  if (troubles.length === 0) return <Notice kind="good" text={copy.verdict.good} />;
  return (
    <Notice kind="bad" text={copy.verdict.bad({ number: troubles.length })}>
      <ul>
        {troubles.map(({ href, text }) => (
          <li>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function part(rows: readonly unknown[], empty: string, content: Child): PagePart {
  return { isEmpty: rows.length === 0, empty, content };
}

/** The parts of the page: first what may need somebody, then what is worth a look. */
function partsOf(overview: Overview): PagePart[] {
  const { lists, nowMs } = overview;
  /** The first entries of a list of all properties, with the way to the others. */
  const firstOf = <Row,>(list: StaffList<Row>, path: string, rows: readonly Row[]) => {
    const first = rows.slice(0, MOST_SHOWN.listed);
    return part(
      rows,
      list.copy.empty,
      <ListSection view={{ shown: null, nowMs }} list={list} rows={first}>
        <p>
          <a href={listPath(null, path)}>
            {copy.whole}
            <span class="unseen">: {list.copy.heading}</span>
          </a>
        </p>
      </ListSection>,
    );
  };
  const { backlogs, comparisons, endpoints, refundSums, runs, unknown, upcoming, warned } =
    overview;
  return [
    part(unknown.operations, copy.unknown.empty, <UnknownPart {...overview} />),
    part(backlogs, copy.messages.empty, <OutboxPart {...overview} />),
    part(endpoints, copy.endpoints.empty, <EndpointsPart {...overview} />),
    firstOf(differences, 'differences', lists.differences),
    firstOf(failedPayments, 'failed', lists.failed),
    firstOf(failedRefunds, 'failed', lists.failedRefunds),
    firstOf(disputes, 'disputes', lists.disputes),
    { isEmpty: false, empty: '', content: <OutcomesPart {...overview} /> },
    part(refundSums, copy.refunds.none, <RefundSums {...overview} />),
    part(upcoming.sums, copy.upcoming.none, <UpcomingSums {...overview} />),
    firstOf(coming, 'coming', lists.coming),
    part(warned, copy.warned.empty, <WarnedPart {...overview} />),
    part(comparisons, copy.comparisons.empty, <ComparisonsPart {...overview} />),
    part(runs, copy.runs.empty, <RunsPart {...overview} />),
    firstOf(payouts, 'disbursements', lists.payouts),
  ];
}

/** Operations whose outcome is unknown, the oldest first. */
function UnknownPart({ unknown }: Overview) {
  type Unknown = Overview['unknown']['operations'][number];
  return (
    <TableSection
      {...copy.unknown}
      id="unknown"
      caption={copy.unknown.caption({ most: String(MOST_SHOWN.unknown) })}
      rows={unknown.operations}
      columns={[
        bookingColumn,
        { name: copy.columns.kind, text: ({ kind }) => wordFor(copy.unknown.kinds, kind) ?? kind },
        listedTime<Unknown>(copy.columns.since, ({ sinceMs }) => sinceMs, null),
        more(
          listedTime<Unknown>(copy.columns.nextCheck, ({ nextCheckAtMs }) => nextCheckAtMs, null),
        ),
        more(propertyColumn),
        { name: names.id, isMore: true, text: ({ id }) => id },
      ]}
    >
      {unknown.more && <p class="soft">{copy.unknown.more}</p>}
    </TableSection>
  );
}

/** The newest payments that were made with a warning. */
function WarnedPart({ warned }: Overview) {
  const { warnings } = copy.warned;
  return (
    <TableSection
      {...copy.warned}
      id="warned"
      caption={copy.warned.caption({ most: String(MOST_SHOWN.warned) })}
      rows={warned}
      columns={[
        bookingColumn,
        {
          name: names.amount,
          isNumber: true,
          text: ({ amountMinor, currency }) => money(amountMinor, currency),
        },
        {
          name: copy.columns.warning,
          text: (row) => row.warnings.map((warning) => warnings[warning]).join(', '),
        },
        more(
          listedTime<Overview['warned'][number]>(copy.columns.made, (row) => row.createdAtMs, null),
        ),
        more(propertyColumn),
        { name: names.id, isMore: true, text: ({ id }) => id },
      ]}
    />
  );
}

/** What the refunds of the last 24 hours come to. */
function RefundSums({ refundSums }: Overview) {
  const { heading, statuses, sum } = copy.refunds;
  return (
    <Section id="refunds" heading={heading}>
      <ul>
        {refundSums.map(({ amountMinor, currency, number, status }) => (
          <li>{sum({ number, status: statuses[status], sum: money(amountMinor, currency) })}</li>
        ))}
      </ul>
    </Section>
  );
}

/** What the scheduled charges of the next 24 hours come to, overdue ones included. */
function UpcomingSums({ upcoming: { cut, sums } }: Overview) {
  const { cut: cutCopy, heading, sum } = copy.upcoming;
  return (
    <Section id="upcoming" heading={heading}>
      <ul>
        {sums.map(({ amountMinor, currency, number }) => (
          <li>{sum({ number, sum: money(amountMinor, currency) })}</li>
        ))}
      </ul>
      {cut && <p class="soft">{cutCopy({ number: String(MOST_SUMMED) })}</p>}
    </Section>
  );
}

/** The newest comparisons of the acquirer's record with ours. */
function ComparisonsPart({ comparisons }: Overview) {
  const { comparisons: texts } = copy;
  return (
    <TableSection
      {...texts}
      id="comparisons"
      caption={texts.caption({ most: String(MOST_SHOWN.comparisons) })}
      rows={comparisons}
      columns={[
        zonedTime<ReconciliationRunRow>(texts.started, ({ startedAtMs }) => startedAtMs),
        { name: texts.state, text: ({ phase }) => texts.phases[phase] },
        { name: texts.exceptions, isNumber: true, text: ({ exceptions }) => exceptions },
        { name: texts.corrected, isMore: true, isNumber: true, text: ({ corrected }) => corrected },
        { name: texts.compared, isMore: true, isNumber: true, text: ({ compared }) => compared },
        { name: texts.cause, isMore: true, text: ({ cause }) => texts.causes[cause] },
        { name: texts.account, isMore: true, text: ({ account, gateway }) => account ?? gateway },
        { name: texts.error, isMore: true, text: ({ lastError }) => lastError ?? '–' },
      ]}
    />
  );
}

/** Export runs: running, then recently failed, then the newest, each with its progress. */
function RunsPart({ runs }: Overview) {
  const { runs: texts } = copy;
  return (
    <TableSection
      {...texts}
      id="runs"
      rows={runs}
      columns={[
        zonedTime<ExportRunRow>(texts.started, ({ startedAtMs }) => startedAtMs),
        { name: texts.portfolio, isMore: true, text: ({ portfolio }) => portfolio },
        { name: texts.file, text: ({ variant }) => variant },
        { name: texts.day, isMore: true, text: ({ date }) => date },
        { name: texts.status, text: ({ status }) => status },
        { name: texts.progress, cell: (run) => <Progress run={run} /> },
        { name: texts.error, isMore: true, text: ({ failure }) => failure },
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
        aria-label={copy.runs.rowsOf({ file: run.variant })}
      ></progress>{' '}
      {copy.runs.rows({ rows: String(run.rows), expected })}
    </span>
  );
}
