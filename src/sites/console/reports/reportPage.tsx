import { figures, money, percent, plainMoney } from '../../../core/format.ts';
import { storedExponent, toDecimal } from '../../../core/money.ts';
import {
  acceptanceOf,
  isEmpty,
  type Reason,
  type ReportLine,
} from '../../../desk/reports/rules.ts';
import { declineCopy, words } from '../../../desk/words.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { ColumnChart } from '../../web/chart.tsx';
import { CsvLink } from '../../web/csvLink.tsx';
import { Field } from '../../web/forms.tsx';
import { Notice } from '../../web/page.tsx';
import { type Tab, Tabs } from '../../web/staffLayout.tsx';
import { type Column, EmptyNote, Records } from '../../web/table.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { reportPath } from '../paths.ts';
import type { Viewed } from '../propertyRequest.ts';
import type { Report, ReportRow, TypedSpan } from './report.ts';

const { columns: names, report: copy } = words;

/** A property's report by day. `report` is null where the days were typed wrongly, which `error` tells. */
export function ReportPage({
  person,
  property,
  typed,
  choices,
  error,
  report,
}: Viewed & {
  readonly typed: TypedSpan;
  readonly choices: readonly Tab[];
  readonly error: string | null;
  readonly report: Report | null;
}) {
  return (
    <ConsoleLayout title={copy.title} person={person} property={property} here="report">
      {error !== null && (
        <Notice kind="bad">
          <p id="days-error">{error}</p>
        </Notice>
      )}
      <Tabs name={copy.days} tabs={choices} />
      <SpanForm action={reportPath(property.id)} typed={typed} isFaulty={error !== null} />
      {report && <ReportParts property={property} report={report} />}
    </ConsoleLayout>
  );
}

function ReportParts({
  property,
  report,
}: {
  readonly property: PropertyRow;
  readonly report: Report;
}) {
  const { currencies, currency, path } = report;
  return (
    <>
      {currencies.length > 1 && (
        <Tabs
          name={copy.currencies}
          tabs={currencies.map((one) => ({
            name: one,
            href: `${path}&currency=${one}`,
            isCurrent: one === currency,
          }))}
        />
      )}
      <Charts report={report} />
      <Lines property={property} report={report} />
      <Reasons report={report} />
    </>
  );
}

function Charts({ report: { currency, rows, stepName, total } }: { readonly report: Report }) {
  const points = (value: (line: ReportLine) => number | null) =>
    rows.map(({ line, shortName }) => ({ label: shortName, value: value(line) }));
  const amount = {
    text: (minor: number) => money(minor, currency),
    axis: (minor: number) => shortAmount(minor, currency),
  };
  const acceptance = acceptanceOf(total);
  return (
    <section aria-labelledby="charts">
      <h2 id="charts">{copy.by({ step: copy.steps[stepName] })}</h2>
      <div class="charts">
        <ColumnChart
          id="taken"
          heading={copy.takenIn({ currency })}
          sum={figures(total.takenMinor, currency)}
          points={points(({ takenMinor }) => takenMinor)}
          {...amount}
        />
        <ColumnChart
          id="acceptance"
          heading={copy.acceptance}
          sum={acceptance === null ? '–' : percent(acceptance)}
          points={points(acceptanceOf)}
          most={1}
          text={percent}
          axis={(share) => `${share * 100}\u00a0%`}
        />
        <ColumnChart
          id="untaken"
          heading={copy.untaken}
          sum={String(total.declined + total.failed)}
          points={points(({ declined, failed }) => declined + failed)}
          text={String}
          axis={(number) => (Number.isInteger(number) ? String(number) : '')}
          bad
        />
        <ColumnChart
          id="refunded"
          heading={copy.refundedIn({ currency })}
          sum={figures(total.refundedMinor, currency)}
          points={points(({ refundedMinor }) => refundedMinor)}
          {...amount}
        />
      </div>
      <p>
        <a href="#lines">{copy.asTable}</a>
      </p>
    </section>
  );
}

/** An amount in few characters: `1.5K`. */
function shortAmount(minor: number, currency: string): string {
  const amount = toDecimal(minor, storedExponent(currency));
  return new Intl.NumberFormat('en-GB', { notation: 'compact' }).format(amount);
}

function Lines({ property, report }: { readonly property: PropertyRow; readonly report: Report }) {
  const { currency, path, rows, stepName, total } = report;
  const { timeZone } = property;
  const step = copy.steps[stepName];
  const busy = rows.filter(({ line }) => !isEmpty(line));
  const quiet = rows.length - busy.length;
  return (
    <section aria-labelledby="lines">
      <h2 id="lines">{copy.table}</h2>
      <p class="soft">{copy.explained({ currency, timeZone })}</p>
      {busy.length === 0 ? (
        <EmptyNote text={copy.empty} />
      ) : (
        <Records
          caption={quiet > 0 ? copy.quiet({ step, number: String(quiet) }) : copy.by({ step })}
          columns={lineColumns(currency)}
          rows={[...busy, { name: copy.total, shortName: '', day: '', line: total, path: null }]}
        />
      )}
      <CsvLink path={`${path}&currency=${currency}`} of={copy.file} />
    </section>
  );
}

/** A number of each line; the page leaves zeros out. */
function numberColumn(
  name: string,
  numberOf: (line: ReportLine) => number,
  more: Partial<Column<ReportRow>> = {},
): Column<ReportRow> {
  return {
    name,
    isNumber: true,
    text: ({ line }) => numberOf(line),
    cell: ({ line }) => numberOf(line) || '',
    ...more,
  };
}

function shareIn(line: ReportLine, written: (share: number) => string): string {
  const accepted = acceptanceOf(line);
  return accepted === null ? '' : written(accepted);
}

/** The columns of a report, on its page and in a file. The page leaves zeros out. */
export function lineColumns(currency: string): Column<ReportRow>[] {
  const amount = (
    name: string,
    minorOf: (line: ReportLine) => number,
    more: Partial<Column<ReportRow>> = {},
  ) =>
    numberColumn(name, minorOf, {
      text: ({ line }) => plainMoney(minorOf(line), currency),
      cell: ({ line }) => (minorOf(line) === 0 ? '' : figures(minorOf(line), currency)),
      ...more,
    });
  return [
    {
      name: copy.day,
      text: ({ day }) => day,
      cell: ({ name, path }) => (path === null ? name : <a href={path}>{name}</a>),
    },
    { name: names.currency, isForFiles: true, text: () => currency },
    numberColumn(copy.payments, ({ taken }) => taken, { fileName: copy.paymentsTaken }),
    amount(copy.taken, ({ takenMinor }) => takenMinor),
    amount(copy.guestFees, ({ feeMinor }) => feeMinor, { fileName: copy.guestFeesInIt }),
    numberColumn(copy.approved, ({ approved }) => approved, { isForFiles: true }),
    numberColumn(copy.declined, ({ declined }) => declined),
    numberColumn(copy.failed, ({ failed }) => failed),
    {
      name: copy.accepted,
      fileName: copy.acceptedInPerCent,
      isNumber: true,
      text: ({ line }) => shareIn(line, (accepted) => (accepted * 100).toFixed(1)),
      cell: ({ line }) => shareIn(line, percent),
    },
    numberColumn(copy.refunds, ({ refunds }) => refunds),
    amount(copy.refunded, ({ refundedMinor }) => refundedMinor),
    numberColumn(copy.disputes, ({ disputes }) => disputes),
    amount(copy.withdrawn, ({ disputedMinor }) => disputedMinor, {
      fileName: copy.withdrawnInFile,
    }),
    amount(copy.acquirersFees, ({ acquirerFeeMinor }) => acquirerFeeMinor, {
      fileName: copy.acquirersFeesInFile,
    }),
  ];
}

function Reasons({ report: { currency, path, reasons } }: { readonly report: Report }) {
  if (reasons.length === 0) return null;
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons">{copy.reasons.heading}</h2>
      <Records
        caption={copy.reasons.caption({ currency })}
        columns={reasonColumns(currency)}
        rows={reasons}
      />
      <CsvLink path={`${path}&currency=${currency}&table=reasons`} of={copy.reasons.file} />
    </section>
  );
}

/** The columns of why payments were not taken, on the page and in a file. */
export function reasonColumns(currency: string): Column<Reason>[] {
  return [
    { name: copy.reasons.reason, text: reasonCopy },
    { name: copy.reasons.outcome, text: ({ status }) => status },
    { name: copy.reasons.code, text: ({ declineCode }) => declineCode },
    { name: copy.payments, isNumber: true, text: ({ number }) => number },
    {
      name: names.amount,
      isNumber: true,
      text: ({ amountMinor }) => plainMoney(amountMinor, currency),
      cell: ({ amountMinor }) => figures(amountMinor, currency),
    },
    { name: names.currency, isForFiles: true, text: () => currency },
  ];
}

function reasonCopy({ declineCode, status }: Reason): string {
  if (status === 'Failed') return copy.reasons.failed;
  const reason = declineCopy(declineCode);
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** A form that chooses days. `action` is an address whose query goes with them. */
function SpanForm({
  action,
  typed,
  isFaulty,
}: {
  readonly action: string;
  readonly typed: TypedSpan;
  /** Whether an element `days-error` says what is wrong. */
  readonly isFaulty: boolean;
}) {
  const [path = '', query = ''] = action.split('?');
  const invalid = isFaulty && { 'aria-invalid': true, 'aria-describedby': 'days-error' };
  return (
    <form method="get" action={path} class="days">
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Field id="from" label={copy.from}>
        <input id="from" name="from" type="date" value={typed.from} {...invalid} />
      </Field>
      <Field id="to" label={copy.to}>
        <input id="to" name="to" type="date" value={typed.to} {...invalid} />
      </Field>
      <button type="submit">{copy.show}</button>
    </form>
  );
}
