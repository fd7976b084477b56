import { exponentOf } from '../../../core/money.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import { type IsoDate, localDate, parseIsoDate } from '../../../core/time.ts';
import { type AmountDoubt, typedAmount } from '../../../core/typedAmount.ts';
import type { BankLine } from '../../../desk/reports/bankLine.ts';
import { recogniseBankLine } from '../../../desk/reports/payouts.ts';
import { isWithinReach } from '../../../desk/reports/rules.ts';
import { whichAmount, words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { csvAnswer, wantsCsv } from '../../web/csvTable.ts';
import { page } from '../../web/page.tsx';
import { repeatable } from '../../web/repeatable.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import {
  BankLinePage,
  DAYS_AROUND,
  type LineErrors,
  type TypedLine,
  USUAL_DAYS_AROUND,
} from './bankLinePage.tsx';
import { itemColumns } from './payoutPages.tsx';

const { bankLine: copy } = words;

/** How many items of the payouts that are a line the page shows, and the file has. */
const ITEMS_SHOWN = 40;
const MOST_ITEMS = 10_000;

/** Shows what a line of a bank statement is: its payout, and the bookings in it (interface: Console). */
export async function showBankLine({ c, person, property }: PropertyRequest): Promise<Response> {
  const { amount = '', currency = '', day = '', days = '' } = c.req.query();
  const typed = { amount: repeatable(amount), currency: repeatable(currency), day, days };
  const common = { person, property, typed };
  if (amount === '') {
    return page(c, 200, <BankLinePage {...common} errors={{}} answered={null} />);
  }
  const today = localDate(propertyNow(property), property.timeZone);
  const line = readBankLine(typed, property.currency, today);
  if (!line.ok) {
    return page(c, 422, <BankLinePage {...common} errors={line.error} answered={null} />);
  }
  const limit = wantsCsv(c) ? MOST_ITEMS : ITEMS_SHOWN;
  const recognised = await recogniseBankLine(c.get('database'), property, line.value, limit);
  if (wantsCsv(c)) {
    return csvAnswer(c, `bank-line-${line.value.day}`, itemColumns(property), recognised.items);
  }
  const answered = { line: line.value, recognised };
  return page(c, 200, <BankLinePage {...common} errors={{}} answered={answered} />);
}

/** Reads a bank line; `usual` is the property's currency, which counts where none is named. */
function readBankLine(
  { amount, currency: typed, day, days }: TypedLine,
  usual: string,
  today: IsoDate,
): Result<BankLine, LineErrors> {
  const currency = typed.trim() === '' ? usual : typed.trim().toUpperCase();
  const exponent = exponentOf(currency);
  const counted = exponent === null ? usual : currency;
  const read = typedAmount(amount, counted);
  const existing = parseIsoDate(day);
  const date = existing !== null && isWithinReach(existing, today) ? existing : null;
  if (exponent !== null && read.ok && date !== null) {
    const around = DAYS_AROUND.find((one) => String(one) === days) ?? USUAL_DAYS_AROUND;
    return ok({ amountMinor: read.value, currency, day: date, days: around });
  }
  return err({
    ...(!read.ok && { amount: amountIssue(read.error, counted) }),
    ...(date === null && { day: copy.noDay }),
    ...(exponent === null && { currency: copy.noCurrency }),
  });
}

function amountIssue(doubt: AmountDoubt, currency: string): string {
  return doubt.kind === 'unreadable' ? copy.noAmount : whichAmount(doubt, currency);
}
