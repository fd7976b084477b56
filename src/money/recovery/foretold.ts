import { lackingMinor } from '../../records/plans/rules/follow.ts';
import { termOf } from '../../records/plans/rules/parts.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PlanPart, PlanRow } from '../../schema/planTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import type { History } from '../folio/history.ts';

/** What a recovery is about: a charge, or a part of a plan that is still to be charged, as the schedule that it will be. */
export type RecoveredCharge = Pick<
  TransactionRow,
  | ('id' | 'reference' | 'status' | 'purpose' | 'description' | 'currency' | 'amountMinor')
  | ('requestedMinor' | 'declineCode')
  | ('limitToDue' | 'scheduledAtMs' | 'cardToken' | 'cardNamed' | 'otherCard' | 'virtualCard')
>;

/** The part of a plan that a recovery foretells the end of its card for; null for none. */
export function foretoldPart(
  plan: Pick<PlanRow, 'parts'> | null,
  { transactionId }: Pick<RecoveryRow, 'transactionId'>,
): PlanPart | null {
  return plan?.parts.find(({ foretold }) => foretold?.recoveryId === transactionId) ?? null;
}

/** The charge that a recovery is about, where there is one already. */
export function ownCharge(
  { transactions }: Pick<History, 'transactions'>,
  { transactionId }: Pick<RecoveryRow, 'transactionId'>,
): TransactionRow | null {
  return transactions.find(({ id }) => id === transactionId) ?? null;
}

/** The charge that a recovery is about. A part that is not to be charged any more is as a charge that was cancelled. */
export function chargeOf(
  facts: Pick<History, 'plan' | 'state' | 'transactions'>,
  row: RecoveryRow,
): RecoveredCharge {
  const charge = ownCharge(facts, row);
  if (charge) return charge;
  const { plan, state } = facts;
  const part = foretoldPart(plan, row);
  const isToCome = plan?.status === 'active' && part?.status === 'planned';
  const amountMinor = part ? lackingMinor(part) : 0;
  const term = plan && part ? termOf(plan.spec, part.id) : null;
  return {
    id: row.transactionId,
    reference: '',
    status: isToCome ? 'Pending' : 'Cancelled',
    purpose: term?.purpose ?? 'Balance',
    description: term?.label ?? null,
    declineCode: null,
    currency: state.booking.currency,
    amountMinor,
    requestedMinor: amountMinor,
    limitToDue: true,
    scheduledAtMs: row.chargeAtMs,
    cardToken: plan?.cardToken ?? state.booking.cardToken,
    cardNamed: plan !== null && plan.cardToken !== null,
    otherCard: null,
    virtualCard: false,
  };
}
