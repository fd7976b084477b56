import { err, ok, type Result } from '../../core/result.ts';
import { addDays, type IsoDate, parseIsoDate } from '../../core/time.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { days, weekday } from '../format.ts';
import { words } from '../words.ts';
import type { ReportSums, Share } from './read.ts';
import {
  added,
  currenciesOf,
  isWithinReach,
  lengthOf,
  linesOf,
  MOST_DAYS,
  partsOf,
  type ReportLine,
  reasonsOf,
  type Step,
  spanBefore,
} from './rules.ts';
import type { Span } from './store.ts';

export interface ReportRow {
  readonly name: string;
  /** The same for the ends of a chart. */
  readonly shortName: string;
  readonly day: IsoDate;
  readonly span: Span;
  readonly line: ReportLine;
  /** Whether these are all days of the report. */
  readonly isAll: boolean;
}

interface ReportParts {
  readonly periods: readonly Span[];
  readonly step: Step;
  /** The sums of the periods, and of the one before them, which comes last. */
  readonly sums: ReportSums;
  readonly shares: readonly Share[];
}

/** A report as its page shows it, in one currency. */
export type Report = ReturnType<typeof reportOf>;

/** Makes a property's report from its sums. `chosen` is the currency that was asked for. */
export function reportOf(
  property: Pick<PropertyRow, 'currency'>,
  span: Span,
  { periods, step, sums, shares }: ReportParts,
  chosen: string,
) {
  const currencies = currenciesOf(sums, property.currency);
  const currency = currencies.includes(chosen) ? chosen : property.currency;
  // The last period is the one before the report: it is compared with that.
  const all = linesOf(sums, currency, periods.length + 1);
  const lines = all.slice(0, -1);
  return {
    span,
    before: { span: spanBefore(span), line: all.at(-1) ?? added([]) },
    parts: {
      brand: partsOf(shares, currency, 'brand'),
      agency: shares.some(({ agency }) => agency !== null)
        ? partsOf(shares, currency, 'agency')
        : [],
      purpose: partsOf(shares, currency, 'purpose'),
      actor: partsOf(shares, currency, 'actor'),
    },
    stepName: step,
    currency,
    currencies,
    rows: lines.map((line, index): ReportRow => {
      const period = periods[index] ?? span;
      const shortName = days(period.from, period.to);
      const name = step === 'day' ? weekday(period.from) : shortName;
      return { name, shortName, day: period.from, span: period, line, isAll: lines.length === 1 };
    }),
    total: added(lines),
    reasons: reasonsOf(sums, currency, periods.length),
    cancellations: sums.cancellations.flatMap((sum) => {
      const period = periods[sum.period];
      return period && sum.currency === currency ? [{ ...sum, span: period }] : [];
    }),
  };
}

export interface TypedSpan {
  readonly from: string;
  readonly to: string;
}

const USUAL_DAYS = 30;

/** Reads a span of days as typed; the last days until today where nothing was. The error is a sentence. */
export function readSpan({ from, to }: TypedSpan, today: IsoDate): Result<Span, string> {
  const last = to === '' ? today : parseIsoDate(to);
  if (last === null) return err(words.report.noLastDay);
  const first = from === '' ? addDays(last, 1 - USUAL_DAYS) : parseIsoDate(from);
  if (first === null) return err(words.report.noFirstDay);
  const span = { from: first, to: last };
  if (first > last) return err(words.report.backwards);
  if (!isWithinReach(last, today)) return err(words.report.tooFar);
  return lengthOf(span) > MOST_DAYS
    ? err(words.report.tooMany({ days: String(MOST_DAYS) }))
    : ok(span);
}
