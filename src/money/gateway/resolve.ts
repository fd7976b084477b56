import type { OpenPayment, PaymentOutcome } from '../../gateways/gateway.ts';
import { rejection } from '../../gateways/rules/outcome.ts';
import { commit } from '../../operation/commit.ts';
import type { BookingWork } from '../../operation/work.ts';
import {
  applyOutcome,
  ask,
  type GatewayOperation,
  isCertain,
  lookUp,
  type OperationRow,
  scheduleStatusCheck,
  submit,
} from './operation.ts';
import {
  BETWEEN_ABSENCES_MS,
  keyEndsAtMs,
  mayResend,
  nextStatusCheckAtMs,
} from './rules/statusChecks.ts';

/**
 * Finds out an unknown outcome. Looks the operation up first. Sends the same request again, under the same key, only if
 * it is still wanted, the acquirer certainly has no such operation and its key is certainly still valid there. An
 * operation that stays absent after its key has ended never reached the acquirer.
 */
export async function resolveUnknown<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
): Promise<void> {
  const found = await lookUp(work, operation.lookUpRequest);
  const nowMs = work.now();
  if (isCertain(found)) await applyOutcome(work, operation, found);
  else if (found.kind === 'open') await awaitBank(work, operation, found);
  else if (found.kind === 'unknown') {
    // Asks again later, when the acquirer says at the earliest.
    const listedAtMs = nextStatusCheckAtMs(operation.row.statusChecks, nowMs);
    const dueAtMs = Math.max(listedAtMs, nowMs + (found.retryAfterMs ?? 0));
    await scheduleStatusCheck(work, operation, { dueAtMs });
  }
  // To send a lost request again is a new decision to take money.
  else if (operation.isWanted && mayResend(operation.askedAtMs, nowMs)) {
    await resend(work, operation);
  } else await endAbsent(work, operation);
}

/**
 * Sends the request once more. A rejection says nothing of the first sending, which may still be under way: only what
 * the acquirer recorded under the key is certain.
 */
async function resend<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
): Promise<void> {
  // Recorded first: how long the key can have an effect counts from the last sending.
  const row = await scheduleStatusCheck(work, operation, { sentAtMs: work.now() });
  if (row.version === operation.row.version) return;
  const again = operation.withRow(row);
  const outcome = await submit(work, again);
  const found = outcome.kind === 'rejected' ? await lookUp(work, again.lookUpRequest) : outcome;
  if (isCertain(found)) await applyOutcome(work, again, found);
  else if (found.kind === 'open') await awaitBank(work, again, found);
}

/** Ends an operation that the acquirer did not have twice, an hour apart, after its key could have no effect any more. */
async function endAbsent<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
): Promise<void> {
  const { row, askedAtMs } = operation;
  const nowMs = work.now();
  const endsAtMs = keyEndsAtMs(row.sentAtMs ?? askedAtMs);
  if (nowMs < endsAtMs) {
    const dueAtMs = Math.min(nextStatusCheckAtMs(row.statusChecks, nowMs), endsAtMs);
    await scheduleStatusCheck(work, operation, { dueAtMs });
  } else if (row.absentAtMs === null || nowMs - row.absentAtMs < BETWEEN_ABSENCES_MS) {
    const absentAtMs = row.absentAtMs ?? nowMs;
    const dueAtMs = absentAtMs + BETWEEN_ABSENCES_MS;
    await scheduleStatusCheck(work, operation, { absentAtMs, dueAtMs });
  } else {
    await applyOutcome(work, operation, rejection('never reached the gateway'));
  }
}

/**
 * Leaves an open payment to its cardholder and their bank. Ends it at the acquirer once the time for that is over, or if
 * nobody is there. Returns the row as D1 has it.
 */
export async function awaitBank<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
  open: OpenPayment,
): Promise<Row> {
  const { bankStep, row } = operation;
  if (bankStep === null) throw new Error('no bank asks about this operation');
  if (open.url === null || work.now() >= bankStep.untilMs) {
    return abandon(work, operation, open);
  }
  const waiting = bankStep.wait(open);
  if (waiting === null) return row;
  try {
    await work.wakeBy(bankStep.untilMs);
    await commit(work, operation.spans.postpone, waiting.writes);
    return waiting.row;
  } catch {
    // D1 keeps the earlier due time: the alarm finds the open payment then.
    return row;
  }
}

/**
 * Ends an open payment at the acquirer. Only the acquirer's word says what became of it: the cardholder may have
 * confirmed it in this very moment. Returns the row as D1 has it.
 */
export async function abandon<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
  open: OpenPayment,
): Promise<Row> {
  const { bankStep } = operation;
  if (bankStep === null) throw new Error('no bank asks about this operation');
  const outcome: PaymentOutcome = await ask(work, 'gateway.abandon', (gateway) =>
    bankStep.abandon(gateway, open),
  );
  return isCertain(outcome)
    ? applyOutcome(work, operation, outcome)
    : scheduleStatusCheck(work, operation);
}
