import { err, ok, type Result } from '../../../core/result.ts';
import { addDays, type IsoDate, parseIsoDate } from '../../../core/time.ts';
import { isWithinReach, lengthOf, MOST_DAYS, type Span } from '../../../desk/reports/rules.ts';
import { words } from '../../../desk/words.ts';

const { report: copy } = words;

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
  if (last === null) return err(copy.noLastDay);
  const first = from === '' ? addDays(last, 1 - USUAL_DAYS) : parseIsoDate(from);
  if (first === null) return err(copy.noFirstDay);
  const span = { from: first, to: last };
  if (first > last) return err(copy.backwards);
  if (!isWithinReach(last, today)) return err(copy.tooFar);
  return lengthOf(span) > MOST_DAYS ? err(copy.tooMany({ days: String(MOST_DAYS) })) : ok(span);
}
