import type {
  CertainOutcome,
  Gateway,
  LookUp,
  LookUpRequest,
  Outcome,
} from '../../gateways/gateway.ts';
import { rejection } from '../../gateways/outcome.ts';
import type { BookingWork, GatewayOperationKind } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { certainlyRefused } from '../../platform/db/errors.ts';
import {
  BETWEEN_ABSENCES_MS,
  keyHasEnded,
  mayResend,
  nextStatusCheckAtMs,
} from './statusChecks.ts';

/** The columns that a transaction and a refund share while they wait for the acquirer. */
export interface OperationRow {
  readonly id: number;
  readonly version: number;
  /** When the booking's alarm checks it next, in milliseconds; null when nothing is left to do. */
  readonly dueAtMs: number | null;
  /** How many status checks found its outcome still unknown. */
  readonly statusChecks: number;
  /** When the request was sent last, in milliseconds; null if it was sent once. */
  readonly sentAtMs: number | null;
  /** When the acquirer first had no such operation although its key had ended, in milliseconds; null before. */
  readonly absentAtMs: number | null;
}

/** What a status check changes of an operation that is still unknown. */
type Postponement = Partial<
  Pick<OperationRow, 'dueAtMs' | 'statusChecks' | 'sentAtMs' | 'absentAtMs'>
>;

/** The effect of a certain outcome: the row after it, and the statements that write it, for one batch. */
export interface Applied<Row> {
  readonly row: Row;
  readonly statements: [Statement, ...Statement[]];
}

/**
 * One request to the acquirer: a charge, a hold, a capture, a release or a refund. Its row in D1 is in `Processing`
 * until the outcome is certain. The request is built from D1 alone, so sending it again sends the same request.
 *
 * `payments/gatewayOperation.ts` and `refunds/gatewayOperation.ts` make the operations; the functions of this file send them, look
 * them up and write their outcomes, for both alike.
 */
export interface GatewayOperation<Row extends OperationRow> {
  readonly row: Row;
  readonly kind: GatewayOperationKind;
  /** When the request was sent first, in milliseconds. */
  readonly askedAtMs: number;
  /** Asks the acquirer for the outcome of the request. */
  readonly lookUpRequest: LookUpRequest;
  /** The names of the operation's D1 batches. */
  readonly spans: {
    readonly apply: 'd1.transaction.apply' | 'd1.refund.apply';
    readonly postpone: 'd1.transaction.postpone' | 'd1.refund.postpone';
  };
  /** Sends the request to the acquirer, under the operation's own idempotency key. */
  send(gateway: Gateway): Promise<Outcome>;
  /** The effect of an outcome; `why` goes to the audit trail. */
  apply(outcome: CertainOutcome, why: string | undefined): Applied<Row>;
  /** The statement that changes when the alarm checks the row next. */
  postpone(change: Postponement): Statement;
  /** The same operation on a later version of its row. */
  withRow(row: Row): GatewayOperation<Row>;
  /** Reads the row from D1; null if it does not exist. */
  read(): Promise<Row | null>;
}

const NO_ANSWER = { kind: 'unknown', reason: 'the call failed without an answer' } as const;

/** Sends the request to the acquirer. Never throws: a call that fails without an answer has an unknown outcome. */
export async function submit<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
): Promise<Outcome> {
  const { kind, row } = operation;
  const startedMs = Date.now();
  const span = kind === 'expire' ? 'gateway.release' : (`gateway.${kind}` as const);
  const outcome = await work.trace
    .span(span, () => operation.send(work.gateway))
    .catch(() => NO_ANSWER);
  work.observe({ operation: row.id, kind, outcome, ms: Date.now() - startedMs });
  return outcome;
}

/** Asks the acquirer for the outcome of the request. Never throws. */
export async function lookUp<Row extends OperationRow>(
  work: BookingWork,
  { lookUpRequest }: GatewayOperation<Row>,
): Promise<LookUp> {
  return askFor(work, lookUpRequest);
}

/** Asks the acquirer for an operation. Never throws. */
export async function askFor(work: BookingWork, lookUpRequest: LookUpRequest): Promise<LookUp> {
  return work.trace
    .span('gateway.lookUp', () => work.gateway.lookUp(lookUpRequest))
    .catch(() => NO_ANSWER);
}

/**
 * Writes a certain outcome with everything that follows from it, and returns the row as D1 has it. If D1 does not say
 * whether it committed the batch, the operation stays in `Processing` here, and the alarm checks it again.
 */
export async function applyOutcome<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
  outcome: CertainOutcome,
  why?: string,
): Promise<Row> {
  const { row, statements } = operation.apply(outcome, why ?? reasonOf(outcome));
  // If the alarm cannot be set, the sweep wakes the booking a little later.
  if (row.dueAtMs !== null) await work.wakeBy(row.dueAtMs).catch(() => undefined);
  try {
    await work.database.batch(operation.spans.apply, statements);
    return row;
  } catch (error) {
    if (!certainlyRefused(error)) return scheduleStatusCheck(work, operation);
    // An earlier batch, whose answer was lost, has written an outcome already.
    const current = await operation.read().catch(() => null);
    return current ?? operation.row;
  }
}

/** Leaves an unknown outcome to the alarm: schedules the next status check, and returns the row as D1 has it. */
export async function scheduleStatusCheck<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
  seen: Pick<Postponement, 'dueAtMs' | 'sentAtMs' | 'absentAtMs'> = {},
): Promise<Row> {
  const { row } = operation;
  const dueAtMs = seen.dueAtMs ?? nextStatusCheckAtMs(row.statusChecks, work.now());
  const change = { ...seen, dueAtMs, statusChecks: row.statusChecks + 1 };
  try {
    await work.wakeBy(dueAtMs);
    await work.database.batch(operation.spans.postpone, [operation.postpone(change)]);
    return { ...row, ...change, version: row.version + 1 };
  } catch {
    // D1 keeps the earlier due time: the alarm checks at that time instead.
    return row;
  }
}

/**
 * Finds out an unknown outcome. Looks the operation up first. Sends the same request again, under the same key, only if
 * the acquirer certainly has no such operation and its key is certainly still valid there. An operation that stays
 * absent after its key has ended never reached the acquirer.
 */
export async function resolveUnknown<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
): Promise<void> {
  const found = await lookUp(work, operation);
  if (isCertain(found)) await applyOutcome(work, operation, found);
  else if (found.kind === 'unknown') await scheduleStatusCheck(work, operation);
  else if (mayResend(operation.askedAtMs, work.now())) await resend(work, operation);
  else await endAbsent(work, operation);
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
  const found = outcome.kind === 'rejected' ? await lookUp(work, again) : outcome;
  if (isCertain(found)) await applyOutcome(work, again, found);
}

/** Ends an operation that the acquirer did not have twice, an hour apart, after its key could have no effect any more. */
async function endAbsent<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
): Promise<void> {
  const { row, askedAtMs } = operation;
  const nowMs = work.now();
  if (!keyHasEnded(row.sentAtMs ?? askedAtMs, nowMs)) {
    await scheduleStatusCheck(work, operation);
  } else if (row.absentAtMs === null || nowMs - row.absentAtMs < BETWEEN_ABSENCES_MS) {
    const absentAtMs = row.absentAtMs ?? nowMs;
    const dueAtMs = absentAtMs + BETWEEN_ABSENCES_MS;
    await scheduleStatusCheck(work, operation, { absentAtMs, dueAtMs });
  } else {
    await applyOutcome(work, operation, rejection('never reached the gateway'));
  }
}

/** Whether the acquirer has the operation and reported its final outcome. */
export function isCertain(found: LookUp): found is CertainOutcome {
  return found.kind !== 'unknown' && found.kind !== 'absent';
}

/** The reason of an outcome, for the audit trail. */
function reasonOf(outcome: CertainOutcome): string | undefined {
  if (outcome.kind === 'declined') return outcome.declineCode;
  return outcome.kind === 'rejected' ? outcome.reason : undefined;
}
