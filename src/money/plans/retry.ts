import { commit } from '../../operation/commit.ts';
import type { BookingWork } from '../../operation/work.ts';
import { execute, start } from '../payments/attempt.ts';
import { endOnCard, endSchedule } from '../payments/due.ts';
import { changeWrites, postpone } from '../payments/entries.ts';
import type { LoadedTransaction } from '../payments/loadTransaction.ts';
import { cancellation } from '../payments/rules/firing.ts';
import { otherCardOf } from '../payments/rules.ts';
import { WAIT_FOR_OUTCOME_MS } from '../payments/superseded.ts';
import { termsColumns } from '../pricing/fees.ts';
import { readPlan } from './open.ts';
import { amountOfPart, priceOfPart } from './partCharge.ts';
import { endedPart } from './process.ts';

/**
 * Charges a part whose charge waited: what the part lacks now, and what is due at most. The charge ends where the part is
 * covered or gone, and waits where the part is due later by now.
 */
export async function retryPart(work: BookingWork, found: LoadedTransaction): Promise<void> {
  const { card, row, state } = found;
  const nowMs = work.now();
  const plan = await readPlan(work);
  const part = plan?.parts.find(({ chargeId }) => chargeId === row.id);
  if (plan?.status !== 'active' || part?.status !== 'planned') {
    return endSchedule(work, row, cancellation(nowMs, 'its part is not to be charged any more'));
  }
  const { dueAtMs } = part;
  if (dueAtMs > nowMs) return postpone(work, row, { dueAtMs, putOffUntilMs: dueAtMs });
  const due = { state, plan, part, card };
  const amount = await amountOfPart(work, due, row);
  switch (amount.kind) {
    case 'wait':
      return postpone(work, row, { dueAtMs: nowMs + WAIT_FOR_OUTCOME_MS });
    case 'end':
      return endOnCard(work, state.property, row, card, amount);
    case 'take': {
      const { priced, terms, warnings } = priceOfPart(work, due, amount.requestedMinor);
      const change = {
        ...priced,
        virtualCard: card.virtual !== null,
        ...termsColumns(terms),
        warnings,
        firstAttemptAtMs: row.firstAttemptAtMs ?? nowMs,
        otherCard: otherCardOf(row, card),
      };
      const step = { ...found, pending: 'charge', change, caller: null } as const;
      return void (await execute(work, await start(work, step)));
    }
    default: {
      const { change, why } = cancellation(nowMs, 'nothing due');
      return commit(work, 'd1.transaction.apply', [
        ...changeWrites(work, row, change, { why }),
        { plan: endedPart(work, plan, part) },
      ]);
    }
  }
}
