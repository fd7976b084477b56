import { daysBetween } from '../../core/days.ts';
import { exponentOf, storedDecimal } from '../../core/money.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type IsoDate, parseIsoDate } from '../../core/time.ts';
import { typedAmount } from '../../core/typedAmount.ts';
import type { DisbursementRow } from '../../schema/disbursementTables.ts';
import { amountCopy, words } from '../words.ts';
import { isWithinReach } from './rules.ts';

const { bankLine: copy } = words;

/** A line of a bank statement, as a person typed it. */
export interface BankLine {
  /** In minor units of the currency; negative for money that left the account. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly day: IsoDate;
  /** How many days before and after the day count as well. */
  readonly days: number;
}

/** How many days around a line people may choose. */
export const DAYS_AROUND = [0, 1, 3, 7, 14] as const;

/** How many count if nobody chose. */
export const USUAL_DAYS_AROUND = 3;

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
    ...(!read.ok && { amount: amountCopy(read.error, counted, copy.noAmount) }),
    ...(date === null && { day: copy.noDay }),
    ...(exponent === null && { currency: copy.noCurrency }),
  });
}

/** What a payout may have to do with a bank line, the most alike first. */
const likenesses = [
  /** It is the line. */
  'match',
  /** The amount is the line's, but the payout failed. */
  'failed',
  /** The amount is the line's, but the day is not. */
  'otherDay',
  /** The line has the amount before the acquirer's fees. */
  'gross',
  /** The line has the amount with the other sign. */
  'opposite',
  /** The line has the same figures in another currency. */
  'otherCurrency',
  /** The day is the line's, and the amount nearly. */
  'nearly',
] as const;

type Likeness = (typeof likenesses)[number];

/** A payout that is like a bank line. */
export interface Likely {
  readonly row: DisbursementRow;
  readonly likeness: Likeness;
  /** How many days after the line's the money is expected; negative for before. */
  readonly daysLater: number;
}

/** How far an amount may be off to be nearly the line's: one part in this many. */
const NEARLY = 50;

/** Payouts that are a bank line or nearly so, the most alike first. */
export function likeliest(line: BankLine, rows: readonly DisbursementRow[]): Likely[] {
  return rows
    .flatMap((row) => {
      const likeness = likenessOf(line, row);
      const daysLater = daysBetween(line.day, row.arrivalDate);
      return likeness === null ? [] : [{ row, likeness, daysLater }];
    })
    .toSorted(
      (one, other) =>
        likenesses.indexOf(one.likeness) - likenesses.indexOf(other.likeness) ||
        Math.abs(one.daysLater) - Math.abs(other.daysLater),
    );
}

/** What a payout has to do with a bank line; null for nothing. */
export function likenessOf(line: BankLine, row: DisbursementRow): Likeness | null {
  const isOnDay = Math.abs(daysBetween(line.day, row.arrivalDate)) <= line.days;
  if (row.currency !== line.currency) {
    const isAlike =
      storedDecimal(row.netMinor, row.currency) === storedDecimal(line.amountMinor, line.currency);
    return isOnDay && isAlike ? 'otherCurrency' : null;
  }
  if (row.netMinor === line.amountMinor) {
    if (row.status === 'failed') return 'failed';
    return isOnDay ? 'match' : 'otherDay';
  }
  return isOnDay ? nearMiss(line.amountMinor, row) : null;
}

function nearMiss(amountMinor: number, { grossMinor, netMinor }: DisbursementRow): Likeness | null {
  if (grossMinor === amountMinor) return 'gross';
  if (netMinor === -amountMinor) return 'opposite';
  const isNear = Math.abs(netMinor - amountMinor) * NEARLY <= Math.abs(amountMinor);
  return isNear ? 'nearly' : null;
}
