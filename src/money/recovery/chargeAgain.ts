import type { Failure } from '../../core/failure.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { RecoveryRow } from '../../platform/db/recoveryTables.ts';
import { updateRecovery } from '../../records/recoveries/store.ts';
import { create, type PaymentCommand } from '../payments/create.ts';
import { type Recovery, wantedMinor } from './situation.ts';

/** How long a charge that the acquirer did not carry out waits for the next attempt. */
const AFTER_FAILURE_MS = 5 * MINUTE_MS;

/**
 * Makes a declined charge again, on the guest's new card. The schema takes one such charge at a time, and none once one
 * was taken: so a repeated step charges nobody twice.
 */
export async function chargeAgain(work: BookingWork, recovery: Recovery): Promise<void> {
  const { row } = recovery;
  // If this is cut off, the step is decided again in a minute: by then the charge may have its outcome.
  const begun = await postpone(work, row, { dueAtMs: work.now() + MINUTE_MS });
  const { answer } = await create(work, replacement(work, recovery));
  const failure = answer.ok ? null : answer.error;
  await postpone(work, begun, afterwards(work.now(), failure));
}

function replacement(work: BookingWork, recovery: Recovery): PaymentCommand {
  const { charge, row } = recovery;
  return {
    kind: 'charge',
    time: null,
    currency: charge.currency,
    requestedMinor: wantedMinor(recovery),
    purpose: charge.purpose,
    description: charge.description,
    virtualCard: false,
    // Nobody is there: the guest only left their card.
    initiator: 'property',
    returnBase: null,
    cardToken: row.answerCard,
    transactionReference: work.newReference(),
    limitToDue: false,
    replaces: [],
    replacesCharge: charge.id,
    quoteId: null,
    allowDuplicate: true,
    caller: null,
  };
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
  await work.database.batch('d1.recovery.save', [
    updateRecovery(work.database.queries, row, later),
  ]);
  return { ...row, ...later, version: row.version + 1 };
}
