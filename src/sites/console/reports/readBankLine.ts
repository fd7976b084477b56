import { exponentOf } from '../../../core/money.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import { type IsoDate, parseIsoDate } from '../../../core/time.ts';
import { type AmountDoubt, typedAmount } from '../../../core/typedAmount.ts';
import type { BankLine } from '../../../desk/reports/bankLine.ts';
import { isWithinReach } from '../../../desk/reports/rules.ts';
import { words } from '../../../desk/words.ts';
import { whichAmount } from '../whichAmount.ts';

const { bankLine: copy } = words;

/** How many days around the day may be chosen. */
export const DAYS_AROUND = [0, 1, 3, 7, 14] as const;

/** How many count if nobody chose. */
export const USUAL_DAYS_AROUND = 3;

/** A bank line as it was typed. */
export interface TypedLine {
  readonly amount: string;
  readonly day: string;
  readonly days: string;
  readonly currency: string;
}

/** What is wrong with each field, in a sentence. */
export type LineErrors = Partial<Record<keyof TypedLine, string>>;

/** Reads a bank line; `usual` is the property's currency, which counts where none is named. */
export function readBankLine(
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
