import { addDays, type IsoDate, localDate } from '../../../core/time.ts';
import { periodsOf, type Span, stepOf } from '../../../desk/reports/rules.ts';
import { readReport } from '../../../desk/reports/store.ts';
import { words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { csvAnswer, wantsCsv } from '../../web/csvTable.ts';
import { page } from '../../web/page.tsx';
import type { Tab } from '../../web/staffLayout.tsx';
import { reportPath } from '../paths.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import { type Report, readSpan, reportOf } from './report.ts';
import { lineColumns, ReportPage, reasonColumns } from './reportPage.tsx';

const { report: copy } = words;

/** Shows a property's report by day, or one of its tables as CSV (interface: Console). */
export async function showReport(request: PropertyRequest): Promise<Response> {
  const { c, person, property } = request;
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
  const sums = await readReport(c.get('database'), property, periods);
  const report = reportOf(property, span.value, { periods, step, sums }, currency);
  if (wantsCsv(c)) return reportAsCsv(request, span.value, report, table);
  return page(c, 200, <ReportPage {...common} typed={span.value} error={null} report={report} />);
}

/** The days that are often asked for. */
function choicesOf(propertyId: string, today: IsoDate, shown: Span | null): Tab[] {
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
    href: reportPath(propertyId, { ...span }),
    isCurrent: shown?.from === span.from && shown.to === span.to,
  }));
}

function reportAsCsv(
  { c, property }: PropertyRequest,
  span: Span,
  { currency, reasons, rows }: Report,
  table: string,
): Response {
  const name = `${property.id}-${span.from}-${span.to}`;
  return table === 'reasons'
    ? csvAnswer(c, `reasons-${name}`, reasonColumns(currency), reasons)
    : csvAnswer(c, `report-${name}`, lineColumns(currency), rows);
}
