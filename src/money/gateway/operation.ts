import type {
  CertainOutcome,
  Gateway,
  LookUp,
  LookUpRequest,
  MoneyRequest,
  OpenPayment,
  PaymentOutcome,
} from '../../gateways/gateway.ts';
import { commit } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork, GatewayOperationKind } from '../../operation/work.ts';
import {
  certainlyRefused,
  DatabaseOverloaded,
  PropertyMoving,
  refusedByGuard,
} from '../../platform/db/errors.ts';
import { retryWhenStale } from '../../platform/db/retryWhenStale.ts';
import type { SpanName } from '../../platform/trace.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { nextStatusCheckAtMs, outcomeAgainAfterMs } from './rules/statusChecks.ts';

/** The columns that a transaction, a refund and a dispute share while they wait for the acquirer. */
export interface OperationRow {
  readonly id: number | string;
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

/** The effect of a certain outcome: the row after it, and what writes it, for one batch. */
export interface Applied<Row> {
  readonly row: Row;
  readonly writes: Write[];
}

/**
 * One request to the acquirer: a charge, a hold, a capture, a release, a refund or an answer to a dispute. Its row in D1
 * is in `Processing`, or names the answer, until the outcome is certain. The request is built from D1 alone, so sending it again sends the same request.
 *
 * `payments/gatewayOperation.ts`, `refunds/gatewayOperation.ts` and `disputes/answerOperation.ts` make the operations; the
 * functions of this file send them, look them up and write their outcomes, for all alike. `Said` is what the acquirer can
 * answer to the request.
 */
export interface GatewayOperation<
  Row extends OperationRow,
  Said extends PaymentOutcome = PaymentOutcome,
> {
  readonly row: Row;
  readonly kind: GatewayOperationKind;
  /** When the request was sent first, in milliseconds. */
  readonly askedAtMs: number;
  /** Whether it may be sent again if the request was lost. Otherwise it is only looked up, until it ends. */
  readonly isWanted: boolean;
  /** Asks the acquirer for the outcome of the request. */
  readonly lookUpRequest: LookUpRequest;
  /** The names of the operation's D1 batches. */
  readonly spans: {
    readonly apply: 'd1.transaction.apply' | 'd1.refund.apply' | 'd1.dispute.apply';
    readonly postpone: 'd1.transaction.postpone' | 'd1.refund.postpone' | 'd1.dispute.postpone';
  };
  /** Sends the request to the acquirer, under the operation's own idempotency key. */
  send(gateway: Gateway): Promise<Said>;
  /** The effect of an outcome; `why` goes to the audit trail. */
  apply(outcome: CertainOutcome, why: string | undefined): Applied<Row> | Promise<Applied<Row>>;
  /** What it needs while its cardholder's bank wants to verify them; null for what no bank asks about. */
  readonly bankStep: BankStep<Row> | null;
  /** What changes when the alarm checks the row next. */
  postpone(change: Postponement): Write[];
  /** The same operation on a later version of its row. */
  withRow(row: Row): GatewayOperation<Row>;
  /** Reads the row from D1; null if it does not exist. */
  read(): Promise<Row | null>;
}

/** What a payment needs that waits for its cardholder's bank (parts: A guest pays). */
interface BankStep<Row> {
  /** Until when the cardholder can confirm it, in milliseconds; in the past if nobody is there. */
  readonly untilMs: number;
  /** Records that it waits until then; null if D1 has that already. */
  wait(open: OpenPayment): Applied<Row> | null;
  /** Cancels it at the acquirer, and returns what became of it. */
  abandon(gateway: Gateway, open: OpenPayment): Promise<PaymentOutcome>;
}

/** A call that failed without an answer: the acquirer may have done it. */
const NO_ANSWER = { kind: 'unknown', reason: 'the call failed without an answer' } as const;

/** Calls the acquirer. Never throws. */
export function ask<Said>(
  { gateway, trace }: Pick<BookingWork, 'gateway' | 'trace'>,
  span: Extract<SpanName, `gateway.${string}`>,
  call: (gateway: Gateway) => Promise<Said>,
): Promise<Said | typeof NO_ANSWER> {
  return trace.span(span, () => call(gateway)).catch(() => NO_ANSWER);
}

/** Sends the request to the acquirer. Never throws: a call that fails without an answer has an unknown outcome. */
export async function submit<Said extends PaymentOutcome>(
  work: BookingWork,
  operation: Pick<GatewayOperation<OperationRow, Said>, 'row' | 'kind' | 'send'>,
): Promise<Said | typeof NO_ANSWER> {
  const { kind, row } = operation;
  const startedMs = Date.now();
  const span = kind === 'expire' ? 'gateway.release' : (`gateway.${kind}` as const);
  const outcome = await ask(work, span, (gateway) => operation.send(gateway));
  work.observe({ operation: row.id, kind, outcome, ms: Date.now() - startedMs });
  return outcome;
}

/** Asks the acquirer for the outcome of an operation. Never throws. */
export function lookUp(work: BookingWork, request: LookUpRequest): Promise<LookUp> {
  return ask(work, 'gateway.lookUp', (gateway) => gateway.lookUp(request));
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
  return (await writeOutcome(work, operation, outcome, why)).row;
}

/** The same, beside the row as the outcome makes it: D1 may have another one. */
export async function writeOutcome<Row extends OperationRow>(
  work: BookingWork,
  operation: GatewayOperation<Row>,
  outcome: CertainOutcome,
  why?: string,
): Promise<{ readonly row: Row; readonly expected: Row }> {
  let expected = operation.row;
  const write = async () => {
    const { row, writes } = await operation.apply(outcome, why ?? reasonOf(outcome));
    expected = row;
    // If the alarm cannot be set, the sweep wakes the booking a little later.
    if (row.dueAtMs !== null) await work.wakeBy(row.dueAtMs).catch(() => undefined);
    await commit(work, operation.spans.apply, writes);
    return row;
  };
  for (let refusals = 1; ; refusals += 1) {
    try {
      const row = await retryWhenStale({ attempts: MOST_TRIES, isStale: isOutdated }, write);
      return { row, expected };
    } catch (error) {
      const pauseMs = neverRan(error) ? outcomeAgainAfterMs(refusals, Math.random()) : null;
      if (pauseMs !== null) {
        await scheduler.wait(pauseMs);
        continue;
      }
      if (!certainlyRefused(error)) {
        return { row: await scheduleStatusCheck(work, operation), expected };
      }
      // An earlier batch, whose answer was lost, has written an outcome already.
      const current = await operation.read().catch(() => null);
      return { row: current ?? operation.row, expected };
    }
  }
}

/** Whether D1 had too much waiting to run a batch. The end of a move was waited for already. */
function neverRan(error: unknown): boolean {
  return error instanceof DatabaseOverloaded && !(error instanceof PropertyMoving);
}

/** How often an outcome is written, where something beside it changed each time. */
const MOST_TRIES = 2;

const isOutdated = (error: unknown) => refusedByGuard(error, 'stale_state');

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
    await commit(work, operation.spans.postpone, operation.postpone(change));
    return { ...row, ...change, version: row.version + 1 };
  } catch {
    // D1 keeps the earlier due time: the alarm checks at that time instead.
    return row;
  }
}

/** Whether the acquirer has the operation and reported its final outcome. */
export function isCertain(found: LookUp): found is CertainOutcome {
  return found.kind !== 'unknown' && found.kind !== 'absent' && found.kind !== 'open';
}

function reasonOf(outcome: CertainOutcome): string | undefined {
  if (outcome.kind === 'declined') return outcome.declineCode;
  return outcome.kind === 'rejected' ? outcome.reason : undefined;
}

/** By what people recognise a payment at the acquirer and on the cardholder's statement (interface: Charges). */
export function shownNames(
  { property, booking }: BookingState,
  description: string | null,
): Pick<MoneyRequest, 'description' | 'statementName'> {
  const parts = [property.name, booking.reference, description];
  return {
    description: parts.filter((part) => part !== null && part !== '').join(', '),
    statementName: property.name,
  };
}
