/** The books as an analyst adds them up, from the lines of ledger files. */
import { type LedgerLine, ledgerLine } from './exportRecords.ts';
import { linesOf } from './exports.ts';

export function readLedger(file: string): LedgerLine[] {
  return linesOf(file).map((line) => ledgerLine.parse(line));
}

/** An amount as an integer of the currency's minor units. */
function minorOf(amount: string): number {
  return Number(amount.replace('.', ''));
}

/** What some accounts have together, in minor units, positive for credits. */
export function balanceOf(
  lines: readonly LedgerLine[],
  ...accounts: readonly LedgerLine['account'][]
): number {
  return lines
    .filter(({ account }) => accounts.includes(account))
    .reduce((sum, { amount, side }) => sum + (side === 'credit' ? 1 : -1) * minorOf(amount), 0);
}

/** The lines of each key. */
export function groupedBy<Key extends string | null>(
  lines: readonly LedgerLine[],
  keyOf: (line: LedgerLine) => Key,
): Map<Key, LedgerLine[]> {
  return Map.groupBy(lines, keyOf);
}

/** The groups whose debits are not their credits. */
export function unbalanced(groups: ReadonlyMap<string, readonly LedgerLine[]>): string[] {
  return [...groups].flatMap(([key, lines]) => {
    const all = [...new Set(lines.map(({ account }) => account))];
    return balanceOf(lines, ...all) === 0 ? [] : [key];
  });
}
