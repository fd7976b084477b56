import type { BookingWork } from '../../operation/work.ts';
import { lookUp } from '../gateway/operation.ts';
import { lastKeyNumber } from './attempt.ts';
import { correctTransaction, readPayment } from './correct.ts';
import { type Subject, transactionOperation } from './gatewayOperation.ts';

/** How many keys after the last known one are looked up at most. */
const MOST_KEYS = 20;

/**
 * What the acquirer has of a schedule's later attempts:
 * - `corrected`: it has charged the schedule, and D1 has that now;
 * - `none`: it has not. `lastKey` is the last key that it knows;
 * - `unknown`: it did not say.
 */
export type EarlierCharge =
  | { readonly kind: 'corrected' }
  | { readonly kind: 'none'; readonly lastKey: string | null }
  | { readonly kind: 'unknown' };

/**
 * Asks the acquirer whether it has charged a pending schedule already, under keys that D1 does not know: D1 may have been
 * restored to an earlier state. A schedule is neither charged late nor ended before the acquirer was asked.
 */
export async function findEarlierCharge(
  work: BookingWork,
  subject: Subject,
): Promise<EarlierCharge> {
  const { row, card } = subject;
  if (card === null) return { kind: 'none', lastKey: row.gatewayKey };
  let lastKey = row.gatewayKey;
  const last = lastKeyNumber(row);
  for (let number = last + 1; number <= last + MOST_KEYS; number += 1) {
    const gatewayKey = `${row.reference}-${number}`;
    // The attempt that is to be made now: the look-up covers the time from the schedule's own until now.
    const tried = { gatewayKey, attempts: number, askedAtMs: work.now() };
    const attempt = { ...row, ...tried, pendingOperation: 'charge' as const };
    const found = await lookUp(work, transactionOperation(work, { ...subject, row: attempt }));
    if (found.kind === 'absent') break;
    if (found.kind === 'unknown') return { kind: 'unknown' };
    if (found.kind === 'approved') {
      const report = await readPayment(work, found.gatewayReference ?? '', card.gatewayToken);
      if (report.kind !== 'payment') return { kind: 'unknown' };
      await correctTransaction(work, subject, report.payment, { further: tried });
      return { kind: 'corrected' };
    }
    lastKey = gatewayKey;
  }
  return { kind: 'none', lastKey };
}
