import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { MoneyMoved, PaidOut } from './entry.ts';
import { afterMoved, type ChargeSums, shareOf } from './totals.ts';

/** The accounts of the books (exports: Ledger file). */
export const accounts = [
  'guests',
  'bonds',
  'surcharges',
  'acquirer',
  'acquirer-fees',
  'bank',
  'disputed',
] as const;

type Account = (typeof accounts)[number];

/** One line of an entry in the books. The amount is above 0, in minor units. */
export interface Posting {
  readonly account: Account;
  readonly side: 'debit' | 'credit';
  readonly amountMinor: number;
}

/** A movement of a charge, and the sums of those before it. */
export interface MovedInTurn {
  readonly before: ChargeSums;
  readonly purpose: TransactionRow['purpose'];
  readonly moved: Pick<MoneyMoved, 'kind' | 'amountMinor' | 'feeMinor' | 'waivedMinor'>;
}

/**
 * The postings of a movement of a charge. What the movement changes of the balance goes to `guests` and `disputed`, or to
 * `bonds`; the rest is fees. So fees are given back last, and a bank that withdraws more than was left takes from them.
 */
export function postingsOfMoved({ before, moved, purpose }: MovedInTurn): Posting[] {
  const was = shareOf(before);
  const is = shareOf(afterMoved(before, moved));
  const paidMinor = is.paidMinor - was.paidMinor;
  const disputedMinor = is.disputedMinor - was.disputedMinor;
  const isBond = purpose === 'Bond';
  return postingsOf({
    acquirer: -moved.amountMinor,
    disputed: isBond ? 0 : -disputedMinor,
    guests: isBond ? 0 : paidMinor + disputedMinor,
    bonds: isBond ? paidMinor : 0,
    surcharges: moved.amountMinor - paidMinor,
  });
}

/** The postings of a payout: what was under way at the acquirer is at the bank, or was kept. */
export function postingsOfPaidOut(paidOut: Pick<PaidOut, 'feeMinor' | 'netMinor'>): Posting[] {
  const { feeMinor, netMinor } = paidOut;
  return postingsOf({
    bank: -netMinor,
    'acquirer-fees': -feeMinor,
    acquirer: netMinor + feeMinor,
  });
}

/** The postings of what an entry adds to accounts, positive for credits; debits come first. */
function postingsOf(credited: Partial<Record<Account, number>>): Posting[] {
  const postings = accounts.flatMap((account): Posting[] => {
    const minor = credited[account] ?? 0;
    if (minor === 0) return [];
    return [{ account, side: minor < 0 ? 'debit' : 'credit', amountMinor: Math.abs(minor) }];
  });
  const isDebit = ({ side }: Posting) => side === 'debit';
  return [...postings.filter(isDebit), ...postings.filter((one) => !isDebit(one))];
}
