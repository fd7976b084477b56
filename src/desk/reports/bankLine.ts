import { daysBetween } from '../../core/days.ts';
import { storedDecimal } from '../../core/money.ts';
import type { IsoDate } from '../../core/time.ts';
import type { DisbursementRow } from '../../schema/disbursementTables.ts';

/** A line of a bank statement, as a person typed it. */
export interface BankLine {
  /** In minor units of the currency; negative for money that left the account. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly day: IsoDate;
  /** How many days before and after the day count as well. */
  readonly days: number;
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
