import type { LedgerEntry } from '../../../src/gateways/sandbox/operations.ts';
import type { TransactionView } from '../../../src/money/payments/views.ts';
import type { Reply } from '../../../src/operation/reply.ts';
import type { Rows } from './rows.ts';
import { type Answer, type BookingModel, reservedOf } from './state.ts';

/** What the service and the model must have in common, a line for each thing, oldest first. */
export interface Facts {
  readonly booking: string;
  readonly payments: readonly string[];
  readonly refunds: readonly string[];
}

/** The facts as D1 has them. */
export function factsOfRows({ booking, payments, refunds }: Rows): Facts {
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
      ),
    ),
    refunds: refunds.map((row) =>
      line(row.command_reference, refs.get(row.transaction_id), row.amount_minor, row.status),
    ),
  };
}

/** The facts as the model has them. */
export function factsOfModel(model: BookingModel): Facts {
  return {
    booking: line(model.status, model.cards.at(-1)?.token),
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
      ),
    ),
    refunds: model.refunds.map(({ command, charge, amountMinor, status }) =>
      line(command, charge, amountMinor, status),
    ),
  };
}

function line(...parts: readonly (string | number | null | undefined)[]): string {
  return parts.map((part) => part ?? 'none').join(' ');
}

/** The acquirer's ledger in the model's words: a line for each key. */
export function linesOfLedger(ledger: readonly LedgerEntry[], rows: Rows): string[] {
  const refundKey = new Map(
    rows.refunds.map((row, index) => {
      const before = rows.refunds.slice(0, index);
      const part = before.filter((it) => it.command_reference === row.command_reference).length;
      return [row.reference, `${row.command_reference}/${part}`];
    }),
  );
  return ledger
    .map(({ kind, idempotencyKey, amountMinor, status }) => {
      const key = refundKey.get(idempotencyKey ?? '') ?? idempotencyKey;
      return `${key} ${kind} ${amountMinor} ${status}`;
    })
    .toSorted();
}

/** What the model expects of the ledger. */
export function linesOfModel({ effects }: BookingModel): string[] {
  const words = { approved: 'succeeded', declined: 'declined', rejected: 'failed' } as const;
  return effects
    .map(({ key, kind, amountMinor, outcome }) => {
      return `${key} ${kind} ${amountMinor} ${words[outcome.kind]}`;
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
  readonly skipped?: { readonly id: number; readonly status: string }[];
}

/** What a caller was told, in the model's words. */
export function answerOf(reply: Reply<unknown> | null, rows: Rows): Answer {
  if (reply === null) return { code: 'ok', replayed: false };
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
    warnings: members.warnings,
    decline:
      declineCode !== undefined && retryable !== undefined
        ? { code: declineCode, retryable }
        : undefined,
    refunds: members.refunds?.map(({ amount, status }) => ({
      amountMinor: minorOf(amount),
      status: status ?? null,
    })),
    cancelled: members.cancelled?.map(shown),
    skipped: members.skipped?.map(({ id, status }) => ({ ref: refOf(id), status })),
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
