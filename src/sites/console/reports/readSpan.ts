import { err, ok, type Result } from '../../../core/result.ts';
import { addDays, type IsoDate, parseIsoDate } from '../../../core/time.ts';
import { isWithinReach, lengthOf, MOST_DAYS, type Span } from '../../../desk/reports/rules.ts';

/** How many days a report shows when nobody chose any. */
const USUAL_DAYS = 30;

/** What was typed into the fields of a span. */
export interface TypedSpan {
  readonly from: string;
  readonly to: string;
}

/** Reads a span of days as typed; the last days until today where nothing was. The error is a sentence. */
export function readSpan({ from, to }: TypedSpan, today: IsoDate): Result<Span, string> {
  const last = to === '' ? today : parseIsoDate(to);
  if (last === null) return err('Enter an existing day as the last one.');
  const first = from === '' ? addDays(last, 1 - USUAL_DAYS) : parseIsoDate(from);
  if (first === null) return err('Enter an existing day as the first one.');
  const span = { from: first, to: last };
  if (first > last) return err('The last day must not come before the first one.');
  if (!isWithinReach(last, today)) return err('Choose days that are at most a year ahead.');
  return lengthOf(span) > MOST_DAYS ? err(`Choose at most ${MOST_DAYS} days at a time.`) : ok(span);
}
