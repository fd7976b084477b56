import type { Child } from 'hono/jsx';
import { plainMoney } from '../../../core/format.ts';
import { addDays, type IsoDate, localDate } from '../../../core/time.ts';
import { days, figures, money, percent } from '../../../desk/format.ts';
import { readReport } from '../../../desk/reports/read.ts';
import {
  type Report,
  type ReportRow,
  readSpan,
  reportOf,
  type TypedSpan,
} from '../../../desk/reports/report.ts';
import {
  acceptanceOf,
  isEmpty,
  netOf,
  periodsOf,
  type ReportLine,
  spanBefore,
  stepOf,
} from '../../../desk/reports/rules.ts';
import type { Span } from '../../../desk/reports/store.ts';
import { words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { Hidden, InputField } from '../../web/forms.tsx';
import { LinkLine, Notice, page, Section, type Tab, Tabs } from '../../web/page.tsx';
import { type Column, CsvLink, csvAnswer, EmptyNote, Records, wantsCsv } from '../../web/table.tsx';
import { amountIn, currencyOfAll } from '../lists/columns.tsx';
import { CONSOLE_PATH, reportPath } from '../paths.ts';
import { framed, type PropertyRequest, useViewed } from '../site.tsx';
import { Cancellations, cancellationColumns } from './cancellations.tsx';
import { Charts } from './charts.tsx';
import { type Figure, figurePath } from './figurePage.tsx';
import { ReportTabs } from './outstandingPage.tsx';
import { Parts, partColumns, partsIn } from './parts.tsx';
import { Reasons, reasonColumns } from './reasons.tsx';

const { columns: names, report: copy } = words;

/** Shows a property's report by day, or one of its tables as CSV (interface: Console). */
export async function showReport(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const { from = '', to = '', currency = '', table = '' } = c.req.query();
  const today = localDate(propertyNow(property), property.timeZone);
  const span = readSpan({ from, to }, today);
  const choices = choicesOf(property.id, today, span.ok ? span.value : null);
  const titled = { title: copy.title, here: 'report', ...(span.ok && { span: span.value }) };
  const show = (status: number, content: Child) =>
    page(c, status, framed(request, titled, content));
  if (!span.ok) {
    return show(422, <ReportParts choices={choices} typed={{ from, to }} error={span.error} />);
  }
  const step = wantsCsv(c) ? 'day' : stepOf(span.value);
  const periods = periodsOf(span.value, step);
  const all = [...periods, spanBefore(span.value)];
  const read = await readReport(c.get('database'), property, all, span.value);
  const report = reportOf(property, span.value, { periods, step, ...read }, currency);
  if (wantsCsv(c)) return reportAsCsv(request, report, table);
  return show(200, <ReportParts choices={choices} typed={span.value} report={report} />);
}

/** The days that are often asked for. */
function choicesOf(property: string, today: IsoDate, shown: Span | null): Tab[] {
  const thisMonth = `${today.slice(0, 8)}01`;
  const lastMonthEnd = addDays(thisMonth, -1);
  const choices: readonly (readonly [string, Span])[] = [
    [copy.last7, { from: addDays(today, -6), to: today }],
    [copy.last30, { from: addDays(today, -29), to: today }],
    [copy.thisMonth, { from: thisMonth, to: today }],
    [copy.lastMonth, { from: `${lastMonthEnd.slice(0, 8)}01`, to: lastMonthEnd }],
  ];
  return choices.map(([name, span]) => ({
    name,
    href: reportPath(property, span),
    isCurrent: shown?.from === span.from && shown.to === span.to,
  }));
}

function reportAsCsv({ c, property }: PropertyRequest, report: Report, table: string): Response {
  const { cancellations, currency, parts, reasons, rows, span } = report;
  const { id } = property;
  const name = `${id}-${span.from}-${span.to}`;
  switch (table) {
    case 'cancellations':
      return csvAnswer(c, `${table}-${name}`, cancellationColumns(currency), cancellations);
    case 'parts':
      return csvAnswer(c, `${table}-${name}`, partColumns(id, report), partsIn(parts));
    case 'reasons':
      return csvAnswer(c, `${table}-${name}`, reasonColumns(report, id), reasons);
    case 'totals':
      return csvAnswer(c, `${table}-${name}`, totalColumns(currency, id), totalsOf(report));
    default:
      return csvAnswer(c, `report-${name}`, lineColumns(currency, id), rows);
  }
}

/** A property's report by day; left out where the days were typed wrongly, which `error` tells. */
export function ReportParts(
  parts: Readonly<{ typed: TypedSpan; choices: readonly Tab[]; error?: string; report?: Report }>,
) {
  const { typed, choices, error, report } = parts;
  const { property } = useViewed();
  const invalid = error !== undefined && {
    'aria-invalid': true,
    'aria-describedby': 'days-error',
  };
  return (
    <>
      {error !== undefined && (
        <Notice kind="bad">
          <p id="days-error">{error}</p>
        </Notice>
      )}
      <ReportTabs current="report" />
      <Tabs name={copy.days} tabs={choices} />
      <form method="get" action={`${CONSOLE_PATH}/report`} class="days">
        <Hidden fields={{ property: property.id }} />
        <InputField id="from" label={copy.from} type="date" value={typed.from} {...invalid} />
        <InputField id="to" label={copy.to} type="date" value={typed.to} {...invalid} />
        <button type="submit">{copy.show}</button>
      </form>
      {report && report.currencies.length > 1 && (
        <Tabs
          name={copy.currencies}
          tabs={report.currencies.map((one) => ({
            name: one,
            href: reportPath(property.id, report.span, { currency: one }),
            isCurrent: one === report.currency,
          }))}
        />
      )}
      {report && <Totals report={report} />}
      {report && <Charts report={report} />}
      {report && <Lines report={report} />}
      {report && <Parts report={report} />}
      {report && <Cancellations report={report} />}
      {report && <Reasons report={report} />}
    </>
  );
}

/** The figure that stands behind a number or an amount of a line. */
const BEHIND = {
  taken: 'taken',
  takenMinor: 'taken',
  feeMinor: 'taken',
  declined: 'Declined',
  failed: 'Failed',
  refunds: 'refunded',
  refundedMinor: 'refunded',
  disputes: 'withdrawn',
  disputedMinor: 'withdrawn',
  acquirerFeeMinor: 'acquirerFees',
} as const satisfies Partial<Record<keyof ReportLine, Figure['of']>>;

interface Total {
  readonly span: Span;
  readonly line: ReportLine;
}

/** The whole in one line, beside that of the days before. */
function Totals({ report }: { readonly report: Report }) {
  const { currency, parts, span, total } = report;
  const { id } = useViewed().property;
  return (
    <Section id="totals" heading={copy.totals.heading({ amount: money(netOf(total), currency) })}>
      <Records
        caption={copy.totals.caption({ currency })}
        columns={totalColumns(currency, id)}
        rows={totalsOf(report)}
      />
      <CsvLink path={reportPath(id, span, { currency, table: 'totals' })} of={copy.totals.file} />
      {partsIn(parts).length > 0 && <LinkLine href="#parts" text={copy.parts.jump} />}
    </Section>
  );
}

function totalsOf({ before, span, total }: Report): Total[] {
  return [{ span, line: total }, before];
}

function totalColumns(currency: string, property: string): Column<Total>[] {
  const amount = (name: string, member: keyof typeof BEHIND): Column<Total> => ({
    ...amountIn(currency, name, ({ line }) => line[member]),
    isMore: member !== 'takenMinor',
    cell: ({ line, span }) => (
      <a href={figurePath(property, span, { of: BEHIND[member], currency })}>
        {figures(line[member], currency)}
      </a>
    ),
  });
  return [
    { name: copy.days, text: ({ span }) => days(span.from, span.to) },
    amount(copy.taken, 'takenMinor'),
    amount(copy.refunded, 'refundedMinor'),
    amount(copy.withdrawn, 'disputedMinor'),
    amount(copy.acquirersFees, 'acquirerFeeMinor'),
    amountIn(currency, names.net, ({ line }) => netOf(line), figures),
    currencyOfAll(currency),
  ];
}

function Lines({ report }: { readonly report: Report }) {
  const { currency, rows, span, stepName, total } = report;
  const { property } = useViewed();
  const { timeZone } = property;
  const step = copy.steps[stepName];
  const busy = rows.filter(({ line }) => !isEmpty(line));
  const quiet = rows.length - busy.length;
  return (
    <Section id="lines" heading={copy.table}>
      <p class="soft">{copy.explained({ currency, timeZone })}</p>
      {busy.length === 0 ? (
        <EmptyNote text={copy.empty} />
      ) : (
        <Records
          caption={
            quiet > 0
              ? copy.quiet({ steps: copy.plurals[stepName]({ number: quiet }) })
              : copy.by({ step })
          }
          columns={lineColumns(currency, property.id, busy.length > MOST_LINKED)}
          rows={[
            ...busy,
            { name: copy.total, shortName: '', day: '', span, line: total, isAll: true },
          ]}
        />
      )}
      <CsvLink path={reportPath(property.id, span, { currency })} of={copy.file} />
    </Section>
  );
}

function shareIn(line: ReportLine, written: (share: number) => string): string {
  const accepted = acceptanceOf(line);
  return accepted === null ? '' : written(accepted);
}

/** Above so many days, weeks or months the figures of each stand in its own report, where its name leads. */
const MOST_LINKED = 8;

/**
 * The columns of a report, on its page and in a file. The page leaves zeros out, and each figure leads to the payments behind
 * it: in a long report those of its last line alone, so that the page stays light.
 */
function lineColumns(currency: string, property: string, isLong = false): Column<ReportRow>[] {
  const linked = (member: keyof ReportLine, written: (value: number) => Child) => {
    const of = member in BEHIND ? BEHIND[member as keyof typeof BEHIND] : undefined;
    return ({ isAll, line, span }: ReportRow) => {
      if (line[member] === 0) return '';
      const text = written(line[member]);
      if (of === undefined || (isLong && !isAll)) return text;
      return <a href={figurePath(property, span, { of, currency })}>{text}</a>;
    };
  };
  const numberColumn = (
    name: string,
    member: keyof ReportLine,
    more: Partial<Column<ReportRow>> = {},
  ): Column<ReportRow> => ({
    name,
    isNumber: true,
    text: ({ line }) => line[member],
    cell: linked(member, String),
    ...more,
  });
  const amount = (name: string, member: keyof ReportLine, fileName = name, isMore = true) =>
    numberColumn(name, member, {
      fileName,
      isMore,
      text: ({ line }) => plainMoney(line[member], currency),
      cell: linked(member, (minor) => figures(minor, currency)),
    });
  return [
    {
      name: copy.days,
      fileName: copy.day,
      text: ({ day }) => day,
      cell: ({ isAll, name, span }) =>
        isAll ? name : <a href={reportPath(property, span)}>{name}</a>,
    },
    currencyOfAll(currency),
    numberColumn(copy.payments, 'taken', { fileName: copy.paymentsTaken, isMore: true }),
    amount(copy.taken, 'takenMinor', copy.taken, false),
    amount(copy.guestFees, 'feeMinor', copy.guestFeesInIt),
    numberColumn(copy.approved, 'approved', { isForFiles: true }),
    numberColumn(copy.declined, 'declined', { isMore: true }),
    numberColumn(copy.failed, 'failed', { isMore: true }),
    {
      name: copy.accepted,
      fileName: copy.acceptedInPerCent,
      isNumber: true,
      isMore: true,
      text: ({ line }) => shareIn(line, (accepted) => (accepted * 100).toFixed(1)),
      cell: ({ line }) => shareIn(line, percent),
    },
    numberColumn(copy.refunds, 'refunds', { isMore: true }),
    amount(copy.refunded, 'refundedMinor', copy.refunded, false),
    numberColumn(copy.disputes, 'disputes', { isMore: true }),
    amount(copy.withdrawn, 'disputedMinor', copy.withdrawnInFile),
    amount(copy.acquirersFees, 'acquirerFeeMinor', copy.acquirersFeesInFile),
    {
      name: names.net,
      isNumber: true,
      text: ({ line }) => plainMoney(netOf(line), currency),
      cell: ({ line }) => (netOf(line) === 0 ? '' : figures(netOf(line), currency)),
    },
  ];
}
