import type { TransactionView } from '../../../src/money/payments/views.ts';
import type { AcquirerOperation } from '../../../src/sandbox/acquirer/operations.ts';
import type { Rows } from './rows.ts';
import type { Sent } from './service.ts';
import { type Answer, type BookingModel, reservedOf } from './state.ts';

/** The model's names of what the acquirer's desk made, by the acquirer's ids. */
export type Names = ReadonlyMap<string, string>;

/** What the service and the model must have in common, a line for each thing, oldest first. */
export interface Facts {
  readonly booking: string;
  readonly payments: readonly string[];
  readonly refunds: readonly string[];
  readonly disputes: readonly string[];
  readonly recoveries: readonly string[];
  readonly unasked: readonly string[];
}

/** The facts as D1 has them. */
export function factsOfRows(
  { booking, payments, recoveries, refunds, disputes, unasked }: Rows,
  names: Names,
): Facts {
  const refs = new Map(payments.map(({ id, reference }) => [id, reference]));
  return {
    booking: line(booking.status, booking.card_token),
    payments: payments.map((row) =>
      line(
        row.reference,
        row.kind,
        row.status,
        row.requested_minor,
        row.amount_minor,
        row.refund_reserved_minor,
        row.card_token,
        row.attempts,
        settledAt(row.status, row.completed_at_ms),
      ),
    ),
    refunds: refunds.map((row) =>
      line(
        row.origin === 'gateway' ? names.get(row.gateway_reference ?? '') : row.command_reference,
        refs.get(row.transaction_id),
        row.amount_minor,
        row.status,
        settledAt(row.status, row.completed_at_ms),
      ),
    ),
    disputes: disputes
      .map((row) =>
        line(
          names.get(row.id),
          refs.get(row.transaction_id),
          row.amount_minor,
          row.status,
          row.funds_withdrawn === 0 ? 'not withdrawn' : 'withdrawn',
          row.withdrawn_minor,
        ),
      )
      .toSorted(),
    recoveries: recoveries
      .map((row) =>
        line(
          refs.get(row.transaction_id),
          row.cause,
          row.asked,
          row.asked_for_cause,
          row.deadline_at_ms,
          row.flagged_at_ms === null ? 'not flagged' : 'flagged',
          row.ended_as,
        ),
      )
      .toSorted(),
    unasked: unasked
      .map(({ subject }) => refs.get(Number(subject.slice('charge '.length))) ?? subject)
      .toSorted(),
  };
}

/** The facts as the model has them. */
export function factsOfModel(model: BookingModel): Facts {
  return {
    booking: line(model.status, model.inUse),
    payments: model.payments.map((payment) =>
      line(
        payment.ref,
        payment.kind,
        payment.status,
        payment.requestedMinor,
        payment.amountMinor,
        reservedOf(model, payment),
        payment.card,
        payment.attempts,
        settledAt(payment.status, payment.settledAtMs),
      ),
    ),
    refunds: model.refunds.map(({ command, charge, amountMinor, settledAtMs, status }) =>
      line(command, charge, amountMinor, status, settledAt(status, settledAtMs)),
    ),
    disputes: model.disputes
      .map(({ amountMinor, charge, id, status, withdrawnMinor }) =>
        line(
          id,
          charge,
          amountMinor,
          status,
          withdrawnMinor > 0 ? 'withdrawn' : 'not withdrawn',
          withdrawnMinor,
        ),
      )
      .toSorted(),
    recoveries: model.recoveries
      .map((it) =>
        line(
          it.charge,
          it.cause,
          it.asked,
          it.askedForCause,
          it.deadlineAtMs,
          it.isFlagged ? 'flagged' : 'not flagged',
          it.ended,
        ),
      )
      .toSorted(),
    unasked: model.payments
      .filter(({ endedUnasked }) => endedUnasked)
      .map(({ ref }) => ref)
      .toSorted(),
  };
}

/** When the acquirer did it: of what it did not do, the time is of no account. */
function settledAt(status: string, atMs: number | null): string {
  const done = ['Accepted', 'Released', 'Expired', 'Refunded'].includes(status);
  return done ? `at ${atMs}` : '';
}

function line(...parts: readonly (string | number | null | undefined)[]): string {
  return parts.map((part) => part ?? 'none').join(' ');
}

/** The acquirer's ledger in the model's words: a line for each entry. */
export function linesOfLedger(ledger: readonly AcquirerOperation[], rows: Rows): string[] {
  const refundKey = new Map(
    rows.refunds.map((row, index) => {
      const before = rows.refunds.slice(0, index);
      const part = before.filter((it) => it.command_reference === row.command_reference).length;
      return [row.reference, `${row.command_reference}/${part}`];
    }),
  );
  return ledger
    .map(({ kind, idempotencyKey, amountMinor, status, atMs }) => {
      const key = refundKey.get(idempotencyKey ?? '') ?? idempotencyKey ?? 'the desk';
      return `${key} ${kind} ${amountMinor} ${status} at ${atMs}`;
    })
    .toSorted();
}

/** What the model expects of the ledger. */
export function linesOfModel({ effects }: BookingModel): string[] {
  const words = {
    approved: 'succeeded',
    declined: 'declined',
    rejected: 'failed',
    open: 'pending',
  } as const;
  return effects
    .map(({ amountMinor, atMs, byDesk, ended, id, kind, outcome }) => {
      const status = ended === 'failed' ? 'failed' : words[outcome.kind];
      return `${byDesk ? 'the desk' : id} ${kind} ${amountMinor} ${status} at ${atMs}`;
    })
    .toSorted();
}

interface Members {
  readonly transaction?: TransactionView;
  readonly declineCode?: string;
  readonly retryable?: boolean;
  readonly warnings?: string[];
  readonly refunds?: { readonly amount: number; readonly status?: string }[];
  readonly cancelled?: TransactionView[];
  readonly skipped?: {
    readonly id: number;
    readonly status: string;
    readonly warnings?: string[];
  }[];
  readonly corrected?: number;
}

/** What a caller was told, in the model's words. */
export function answerOf(reply: Sent, rows: Rows): Answer {
  if (reply === null) return { code: 'ok', replayed: false };
  if (!('answered' in reply)) return reply;
  const { answer, replayed } = reply.answered;
  const members = (answer.ok ? answer.value : (answer.error.members ?? {})) as Members;
  const refOf = (id: number) => rows.payments.find((row) => row.id === id)?.reference ?? 'none';
  const shown = (view: TransactionView) => ({
    ref: refOf(view.id),
    status: view.status ?? null,
    amountMinor: minorOf(view.amount),
  });
  const { declineCode, retryable } = members;
  return {
    code: answer.ok ? 'ok' : answer.error.code,
    replayed,
    transaction: members.transaction && shown(members.transaction),
    warnings: members.warnings?.toSorted(),
    decline:
      declineCode !== undefined && retryable !== undefined
        ? { code: declineCode, retryable }
        : undefined,
    refunds: members.refunds?.map(({ amount, status }) => ({
      amountMinor: minorOf(amount),
      status: status ?? null,
    })),
    cancelled: members.cancelled?.map(shown),
    skipped: members.skipped?.map(({ id, status, warnings }) => ({
      ref: refOf(id),
      status,
      warnings,
    })),
    corrected: members.corrected === undefined ? undefined : members.corrected > 0,
  };
}

/** Plain data as one text, whatever the order of its members; what is undefined is not there. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

export function minorOf(decimal: number): number {
  return Math.round(decimal * 100);
}
