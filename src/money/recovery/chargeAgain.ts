import { digestOf } from '../../core/digest.ts';
import type { Failure } from '../../core/failure.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import { updateRecovery } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import { lookUp } from '../gateway/operation.ts';
import {
  charge as chargeBooking,
  type PaymentCommand,
  paymentCommand,
} from '../payments/charge.ts';
import { readPayment } from '../payments/correct.ts';
import { cardByToken } from '../payments/loadTransaction.ts';
import { takeOver } from '../payments/takeOver.ts';
import type { Step } from './rules.ts';
import type { Recovery } from './situation.ts';

type ChargeStep = Extract<Step, { readonly kind: 'charge' }>;

/** How long a charge that the acquirer did not carry out waits for the next attempt. */
const AFTER_FAILURE_MS = 5 * MINUTE_MS;

/**
 * Makes a declined charge again, on the guest's new card. The schema takes one such charge at a time, and none once one
 * was taken: so a repeated step charges nobody twice. `returnBase` is where the bank returns a guest who just gave the card
 * on a page: it is then their own payment. Null if nobody is there.
 */
export async function chargeAgain(
  work: BookingWork,
  recovery: Recovery,
  step: ChargeStep,
  returnBase: string | null,
): Promise<void> {
  const { row } = recovery;
  // If this is cut off, the step is decided again in a minute: by then the charge may have its outcome.
  const begun = await postpone(work, row, { dueAtMs: work.now() + MINUTE_MS });
  const reference = await replacementReference(recovery, step.cardToken);
  const card = await cardByToken(work, recovery.facts.state, step.cardToken);
  const found = card ? await findSameCharge(work, recovery, card, reference) : 'absent';
  if (found !== 'absent') {
    const waitMs = found === 'made' ? 0 : AFTER_FAILURE_MS;
    await postpone(work, begun, { dueAtMs: work.now() + waitMs });
    return;
  }
  const isGuestThere = returnBase !== null && card?.enteredBy === 'guest';
  const answer = await chargeBooking(work, {
    ...replacement(recovery, step, reference),
    ...(isGuestThere && { initiator: 'guest', returnBase }),
  });
  const failure = answer.ok ? null : answer.error;
  await postpone(work, begun, afterwards(work.now(), failure));
}

function replacement(
  { charge }: Recovery,
  { amountMinor, cardToken }: ChargeStep,
  transactionReference: string,
): PaymentCommand {
  const body = {
    amount: amountMinor,
    transactionType: charge.purpose,
    token: cardToken,
    allowDuplicate: true,
    ...(charge.description !== null && { description: charge.description }),
  };
  const command = paymentCommand(body, 'charge', null, charge.currency, null);
  return { ...command, transactionReference, replacesCharge: charge.id };
}

/** What is recorded of an attempt: when to look at it again, and that its card is of no use where it was not even tried. */
function afterwards(nowMs: number, failure: Failure | null) {
  switch (failure?.code) {
    case undefined:
    case 'card_declined':
      return { dueAtMs: nowMs };
    case 'gateway_error':
    case 'outcome_unknown':
    case 'busy':
      return { dueAtMs: nowMs + AFTER_FAILURE_MS };
    default:
      return { dueAtMs: nowMs, answerCard: null };
  }
}

async function postpone(
  work: BookingWork,
  row: RecoveryRow,
  change: { readonly dueAtMs: number; readonly answerCard?: null },
): Promise<RecoveryRow> {
  const later = { ...change, changedAtMs: work.now() };
  await work.database.batch('d1.recovery.save', [updateRecovery(row, later)]);
  return { ...row, ...later, version: row.version + 1 };
}

/**
 * The reference of the charge that a recovery makes next on a card. It follows from the charge that it replaces, the card
 * and the number of tries on it: made again after D1 was restored, it is the reference that it had (interface: Recovery).
 */
async function replacementReference(
  { charge, facts }: Recovery,
  cardToken: string,
): Promise<string> {
  const tries = facts.transactions.filter(
    (row) => row.replacesCharge === charge.id && row.cardToken === cardToken,
  );
  return digestOf(`${charge.reference} ${cardToken} ${tries.length + 1}`, 16);
}

/**
 * Looks for a recovery's charge at the acquirer before it is made: D1 may have been restored to a time before it. One
 * that was taken is taken over. `made` where it is here now, `unknown` where the acquirer does not say.
 */
async function findSameCharge(
  work: BookingWork,
  { charge, row }: Recovery,
  card: CardRow,
  reference: string,
): Promise<'made' | 'absent' | 'unknown'> {
  const found = await lookUp(work, {
    kind: 'charge',
    idempotencyKey: null,
    propertyId: work.propertyId,
    reference,
    gatewayToken: card.gatewayToken,
    gatewayReference: null,
    sinceMs: row.createdAtMs,
    untilMs: work.now(),
  });
  if (found.kind === 'absent') return 'absent';
  if (found.kind !== 'approved' || found.gatewayReference === null) return 'unknown';
  const report = await readPayment(work, found.gatewayReference, card.gatewayToken);
  if (report.kind !== 'payment') return 'unknown';
  const { description, id: replacesCharge, purpose } = charge;
  const account = work.gateway.accountOf(card.gatewayToken);
  const known = { description, replacesCharge, purpose };
  const taken = await takeOver(work, { payment: report.payment, account }, known);
  return taken === 'taken' ? 'made' : 'unknown';
}
