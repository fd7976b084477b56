import { plainMoney } from '../../../core/format.ts';
import { addDays, type IsoDate, localDate } from '../../../core/time.ts';
import { mayReport } from '../../../desk/reports/access.ts';
import { readReport } from '../../../desk/reports/report.ts';
import {
  acceptanceOf,
  periodsOf,
  type Reason,
  type ReportLine,
  type Span,
  stepOf,
} from '../../../desk/reports/rules.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { type CsvColumns, csvAnswer, wantsCsv } from '../../web/csvTable.ts';
import { page } from '../../web/page.ts';
import type { Tab } from '../../web/staffLayout.tsx';
import { reportPath } from '../paths.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import { refusedPage } from '../site.tsx';
import { readSpan } from './readSpan.ts';
import { type Report, reportOf } from './report.ts';
import { ReportPage, reasonWords } from './reportPage.tsx';

/** Shows a property's report by day, or one of its tables as CSV (interface: Console). */
export async function showReport(request: PropertyRequest): Promise<Response> {
  const { c, person, property } = request;
  const may = mayReport(person, property);
  if (!may.ok) return refusedPage(c, may.error);
  const { from = '', to = '', currency = '', table = '' } = c.req.query();
  const today = localDate(propertyNow(property), property.timeZone);
  const span = readSpan({ from, to }, today);
  const common = {
    person,
    property,
    choices: choicesOf(property.id, today, span.ok ? span.value : null),
  };
  if (!span.ok) {
    const faulty = <ReportPage {...common} typed={{ from, to }} error={span.error} report={null} />;
    return page(c, 422, faulty);
  }
  const step = wantsCsv(c) ? 'day' : stepOf(span.value);
  const periods = periodsOf(span.value, step);
  const work = { database: c.get('database'), person, property };
  const sums = await readReport(work, periods);
  if (!sums.ok) return refusedPage(c, sums.error);
  const report = reportOf(property, span.value, { periods, step, sums: sums.value }, currency);
  if (wantsCsv(c)) return reportAsCsv(request, span.value, periods, report, table);
  return page(c, 200, <ReportPage {...common} typed={span.value} error={null} report={report} />);
}

/** The days that are often asked for. */
function choicesOf(propertyId: string, today: IsoDate, shown: Span | null): Tab[] {
  const thisMonth = `${today.slice(0, 8)}01`;
  const lastMonthEnd = addDays(thisMonth, -1);
  const choices: readonly (readonly [string, Span])[] = [
    ['Last 7 days', { from: addDays(today, -6), to: today }],
    ['Last 30 days', { from: addDays(today, -29), to: today }],
    ['This month', { from: thisMonth, to: today }],
    ['Last month', { from: `${lastMonthEnd.slice(0, 8)}01`, to: lastMonthEnd }],
  ];
  return choices.map(([name, span]) => ({
    name,
    href: reportPath(propertyId, { ...span }),
    isCurrent: shown?.from === span.from && shown.to === span.to,
  }));
}

function reportAsCsv(
  { c, property }: PropertyRequest,
  span: Span,
  periods: readonly Span[],
  { currency, reasons, rows }: Report,
  table: string,
): Response {
  const name = `${property.id}-${span.from}-${span.to}`;
  if (table === 'reasons') {
    return csvAnswer(c, `reasons-${name}`, reasonColumns(currency), reasons);
  }
  const lines = rows.map(({ line }, index) => ({ day: periods[index]?.from ?? '', line }));
  return csvAnswer(c, `report-${name}`, dayColumns(currency), lines);
}

interface DayLine {
  readonly day: IsoDate;
  readonly line: ReportLine;
}

function dayColumns(currency: string): CsvColumns<DayLine> {
  return {
    Day: ({ day }) => day,
    Currency: () => currency,
    'Payments taken': ({ line }) => line.taken,
    Taken: ({ line }) => plainMoney(line.takenMinor, currency),
    "Guests' fees in it": ({ line }) => plainMoney(line.feeMinor, currency),
    'Approved by banks': ({ line }) => line.approved,
    Declined: ({ line }) => line.declined,
    Failed: ({ line }) => line.failed,
    'Acceptance rate in per cent': ({ line }) => {
      const share = acceptanceOf(line);
      return share === null ? '' : (share * 100).toFixed(1);
    },
    Refunds: ({ line }) => line.refunds,
    Refunded: ({ line }) => plainMoney(line.refundedMinor, currency),
    Disputes: ({ line }) => line.disputes,
    'Withdrawn for disputes': ({ line }) => plainMoney(line.disputedMinor, currency),
    "Acquirer's fees": ({ line }) => plainMoney(line.acquirerFeeMinor, currency),
  };
}

function reasonColumns(currency: string): CsvColumns<Reason> {
  return {
    Outcome: ({ status }) => status,
    Reason: ({ declineCode, status }) => reasonWords(status, declineCode),
    Code: ({ declineCode }) => declineCode,
    Payments: ({ number }) => number,
    Amount: ({ amountMinor }) => plainMoney(amountMinor, currency),
    Currency: () => currency,
  };
}
