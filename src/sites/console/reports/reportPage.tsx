import { figures, money, percent } from '../../../core/format.ts';
import { storedExponent, toDecimal } from '../../../core/money.ts';
import { acceptanceOf, isEmpty, type ReportLine } from '../../../desk/reports/rules.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { Notice } from '../../web/notice.tsx';
import { type Tab, Tabs } from '../../web/staffLayout.tsx';
import { type Column, EmptyNote, Records } from '../../web/table.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { reportPath } from '../paths.ts';
import { declineCopy } from '../words.ts';
import { ColumnChart } from './chart.tsx';
import type { TypedSpan } from './readSpan.ts';
import type { Report, ReportRow } from './report.ts';
import { SpanForm } from './spanForm.tsx';

/** A property's report by day. `report` is null where the days were typed wrongly, which `error` tells. */
export function ReportPage({
  person,
  property,
  typed,
  choices,
  error,
  report,
}: {
  readonly person: Person;
  readonly property: PropertyRow;
  readonly typed: TypedSpan;
  /** Links to often needed days. */
  readonly choices: readonly Tab[];
  readonly error: string | null;
  readonly report: Report | null;
}) {
  return (
    <ConsoleLayout title="Report" person={person} property={property} here="report">
      {error !== null && (
        <Notice kind="bad">
          <p id="days-error">{error}</p>
        </Notice>
      )}
      <Tabs name="Days" tabs={choices} />
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
          name="Currencies"
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
      <h2 id="charts">By {stepName}</h2>
      <div class="charts">
        <ColumnChart
          id="taken"
          heading={`Taken, ${currency}`}
          sum={figures(total.takenMinor, currency)}
          points={points(({ takenMinor }) => takenMinor)}
          {...amount}
        />
        <ColumnChart
          id="acceptance"
          heading="Acceptance rate"
          sum={acceptance === null ? '–' : percent(acceptance)}
          points={points(acceptanceOf)}
          most={1}
          text={percent}
          axis={(share) => `${share * 100}\u00a0%`}
        />
        <ColumnChart
          id="untaken"
          heading="Declined and failed"
          sum={String(total.declined + total.failed)}
          points={points(({ declined, failed }) => declined + failed)}
          text={String}
          axis={(number) => (Number.isInteger(number) ? String(number) : '')}
          bad
        />
        <ColumnChart
          id="refunded"
          heading={`Refunded, ${currency}`}
          sum={figures(total.refundedMinor, currency)}
          points={points(({ refundedMinor }) => refundedMinor)}
          {...amount}
        />
      </div>
      <p>
        <a href="#lines">Show as table</a>
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
  const busy = rows.filter(({ line }) => !isEmpty(line));
  const quiet = rows.length - busy.length;
  return (
    <section aria-labelledby="lines">
      <h2 id="lines">As a table</h2>
      <p class="soft">
        Days in the time of {property.timeZone}. Amounts in {currency}, with the fees that guests
        paid. A payment counts on the day on which it was taken or declined, a refund on the day on
        which it was made, the acquirer’s fees on the day of its payout. The acceptance rate is the
        part of what banks decided that they approved, charges and holds alike: captures and failed
        payments do not count in it.
      </p>
      {busy.length === 0 ? (
        <EmptyNote text="Nothing happened on these days." />
      ) : (
        <Records
          caption={`By ${stepName}${quiet > 0 ? `; nothing in ${quiet} more` : ''}`}
          columns={columnsIn(currency)}
          rows={[...busy, { name: 'Total', shortName: '', line: total, path: null }]}
        />
      )}
      <CsvLink path={`${path}&currency=${currency}`} of="all days" />
    </section>
  );
}

function number(name: string, value: (line: ReportLine) => number): Column<ReportRow> {
  return { name, isNumber: true, cell: ({ line }) => value(line) || '' };
}

function columnsIn(currency: string): Column<ReportRow>[] {
  const amount = (name: string, minor: (line: ReportLine) => number): Column<ReportRow> => ({
    name,
    isNumber: true,
    cell: ({ line }) => (minor(line) === 0 ? '' : figures(minor(line), currency)),
  });
  return [
    { name: 'Day', cell: ({ name, path }) => (path === null ? name : <a href={path}>{name}</a>) },
    number('Payments', ({ taken }) => taken),
    amount('Taken', ({ takenMinor }) => takenMinor),
    amount('Guest fees', ({ feeMinor }) => feeMinor),
    number('Declined', ({ declined }) => declined),
    number('Failed', ({ failed }) => failed),
    {
      name: 'Accepted',
      isNumber: true,
      cell: ({ line }) => {
        const share = acceptanceOf(line);
        return share === null ? '' : percent(share);
      },
    },
    number('Refunds', ({ refunds }) => refunds),
    amount('Refunded', ({ refundedMinor }) => refundedMinor),
    number('Disputes', ({ disputes }) => disputes),
    amount('Withdrawn', ({ disputedMinor }) => disputedMinor),
    amount('Acquirer’s fees', ({ acquirerFeeMinor }) => acquirerFeeMinor),
  ];
}

function Reasons({ report: { currency, path, reasons } }: { readonly report: Report }) {
  if (reasons.length === 0) return null;
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons">Why payments were not taken</h2>
      <Records
        caption={`The most frequent reason first; amounts in ${currency}`}
        columns={[
          { name: 'Reason', cell: ({ declineCode, status }) => reasonWords(status, declineCode) },
          { name: 'Outcome', cell: ({ status }) => status },
          { name: 'Code', cell: ({ declineCode }) => declineCode },
          { name: 'Payments', isNumber: true, cell: ({ number }) => number },
          {
            name: 'Amount',
            isNumber: true,
            cell: ({ amountMinor }) => figures(amountMinor, currency),
          },
        ]}
        rows={reasons}
      />
      <CsvLink path={`${path}&currency=${currency}&table=reasons`} of="the reasons" />
    </section>
  );
}

/** Why a payment was not taken. */
export function reasonWords(status: 'Declined' | 'Failed', declineCode: string | null): string {
  if (status === 'Failed') return 'No decision of the bank: nothing was charged';
  const words = declineCopy(declineCode);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
