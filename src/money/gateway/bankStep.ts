import type { OpenPayment, PaymentOutcome } from '../../gateways/gateway.ts';
import { commit } from '../../operation/commit.ts';
import type { BookingWork } from '../../operation/work.ts';
import {
  applyOutcome,
  type GatewayOperation,
  isCertain,
  type OperationRow,
  scheduleStatusCheck,
} from './operation.ts';

const NO_ANSWER = { kind: 'unknown', reason: 'the call failed without an answer' } as const;

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
  const outcome: PaymentOutcome = await work.trace
    .span('gateway.abandon', () => bankStep.abandon(work.gateway, open))
    .catch(() => NO_ANSWER);
  return isCertain(outcome)
    ? applyOutcome(work, operation, outcome)
    : scheduleStatusCheck(work, operation);
}
