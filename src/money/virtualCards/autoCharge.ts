import { offsetTimestamp } from '../../core/time.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { updateCard } from '../../records/cards/store.ts';
import type { BookingTotals } from '../../records/history/sums.ts';
import { NO_FEES } from '../../records/properties/rules/feeTerms.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import { planExpiryWarnings } from '../payments/beginRecovery.ts';
import { ownTransaction, paymentCommand } from '../payments/charge.ts';
import { changeWrites, insertWrite } from '../payments/entries.ts';
import { cancellation } from '../payments/rules/firing.ts';
import { withoutFees } from '../pricing/fees.ts';
import { planOf } from './rules.ts';

/** What the charges that virtual cards make by themselves are planned on. */
interface Basis {
  /** The booking as the batch leaves it. */
  readonly state: BookingState;
  /** The booking's transactions that may still be charged. */
  readonly open: readonly TransactionRow[];
}

/**
 * The writes by which those of a booking's cards that charge by themselves what is due do so (interface: Virtual cards):
 * each has a schedule, which follows the total cost. For the batch that attaches a card or changes the total.
 */
export async function autoChargeWrites(
  work: BookingWork,
  basis: Basis,
  cards: readonly CardRow[],
): Promise<Write[]> {
  const charging = cards.filter(({ virtual }) => virtual?.autoCharge);
  if (charging.length === 0) return [];
  const facts = { ...basis, totals: await readTotals(work) };
  const planned = await Promise.all(charging.map((card) => writesOf(work, facts, card)));
  return planned.flat();
}

interface PlanFacts extends Basis {
  readonly totals: BookingTotals;
}

async function writesOf(work: BookingWork, facts: PlanFacts, card: CardRow): Promise<Write[]> {
  const { state, totals, open } = facts;
  const nowMs = work.now();
  const stepMinor = work.gateway.amountStepMinor(state.booking.currency);
  const latest = open.find(({ id }) => id === card.autoChargeId) ?? null;
  const plan = planOf(card, { ...state, totals, latest, nowMs, stepMinor });
  if (plan === null) return [];
  switch (plan.kind) {
    case 'cancel': {
      const { change, why } = cancellation(nowMs, 'nothing due');
      return changeWrites(work, plan.schedule, change, { why, card });
    }
    case 'change': {
      const price = { ...withoutFees(plan.amountMinor, stepMinor), askedMinor: null };
      const told = { why: 'the total cost has changed', card };
      return changeWrites(work, plan.schedule, price, told);
    }
    case 'make': {
      const row = scheduleOf(work, state, card, plan);
      await work.wakeBy(plan.atMs);
      return [
        insertWrite(work, { after: row, atMs: nowMs, card }),
        updateCard(card, { autoChargeId: row.id }),
        ...planExpiryWarnings(work, state.property, [row], card),
      ];
    }
  }
}

/** The row of a schedule that charges what is due, at most, on a virtual card. */
function scheduleOf(
  work: BookingWork,
  state: BookingState,
  card: CardRow,
  { amountMinor, atMs }: { readonly amountMinor: number; readonly atMs: number },
): TransactionRow {
  const { currency } = state.booking;
  const body = {
    amount: amountMinor,
    token: card.token,
    transactionType: 'Balance',
    limitToDue: true,
  } as const;
  const time = { text: offsetTimestamp(atMs, state.property.timeZone), atMs };
  const command = {
    ...paymentCommand(body, 'schedule', time, currency, null),
    transactionReference: work.newReference(),
  };
  const priced = withoutFees(amountMinor, work.gateway.amountStepMinor(currency));
  return ownTransaction(work, state, command, card, { priced, terms: NO_FEES, warnings: [] });
}
