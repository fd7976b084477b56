import type { LedgerEntry } from '../../../src/gateways/sandbox/operations.ts';
import type { AuditRow, PaymentRow, RefundRow, Rows } from './rows.ts';

/**
 * What must hold of D1 and the acquirer's ledger whatever the model says: money was moved once for each record
 * that says so, and for nothing else. Tells what does not.
 */
export function brokenPromises(rows: Rows, ledger: readonly LedgerEntry[]): string[] {
  const made = ledger.filter(({ status }) => status === 'succeeded');
  const keys = made.map(({ idempotencyKey }) => idempotencyKey);
  const twice = new Set(keys).size === keys.length ? [] : ['two effects under one key'];
  const effects = Map.groupBy(made, ({ idempotencyKey }) => recordOf(idempotencyKey ?? ''));
  const known = new Set([...rows.payments, ...rows.refunds].map(({ reference }) => reference));
  const strangers = [...effects.keys()].filter((reference) => !known.has(reference));
  return [
    ...twice,
    ...strangers.map((reference) => `nothing here stands for the effects of ${reference}`),
    ...rows.payments.flatMap((row) => brokenPayment(row, effects)),
    ...rows.refunds.flatMap((row) => brokenRefund(row, effects)),
    ...rows.payments.flatMap((row) => brokenSum(row, rows, effects)),
  ];
}

/** The acquirer's succeeded operations, by the reference of the record here. */
type Effects = ReadonlyMap<string, readonly LedgerEntry[]>;

/** A payment's keys are its reference and a number; a refund's is its reference. */
function recordOf(idempotencyKey: string): string {
  return idempotencyKey.split('-')[0] ?? idempotencyKey;
}

/** Accepted is one charge or capture of that amount; anything that is certain and not Accepted is none. */
function brokenPayment(row: PaymentRow, effects: Effects): string[] {
  const taken = (effects.get(row.reference) ?? []).filter(
    ({ kind }) => kind === 'charge' || kind === 'capture',
  );
  const amounts = taken.map(({ amountMinor }) => amountMinor).join(' and ') || 'nothing';
  const right =
    row.status === 'Accepted'
      ? taken.length === 1 && taken[0]?.amountMinor === row.amount_minor
      : // While the outcome is unknown, one may stand there already.
        taken.length <= (row.status === 'Processing' ? 1 : 0);
  return right ? [] : [`${nameOf(row)}, but the acquirer took ${amounts}`];
}

/** Refunded is one refund of that amount; Failed is none. */
function brokenRefund(row: RefundRow, effects: Effects): string[] {
  const sent = effects.get(row.reference) ?? [];
  const fits = sent.every(
    ({ kind, amountMinor }) => kind === 'refund' && amountMinor === row.amount_minor,
  );
  const right =
    row.status === 'Processing'
      ? sent.length <= 1
      : sent.length === (row.status === 'Refunded' ? 1 : 0);
  return right && fits ? [] : [`refund ${row.reference} is ${row.status}: sent ${sent.length}`];
}

/** No more goes back than was taken. */
function brokenSum(row: PaymentRow, rows: Rows, effects: Effects): string[] {
  const sentMinor = rows.refunds
    .filter(({ transaction_id }) => transaction_id === row.id)
    .flatMap(({ reference }) => effects.get(reference) ?? [])
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const takenMinor = row.status === 'Accepted' ? row.amount_minor : 0;
  return sentMinor > takenMinor ? [`${nameOf(row)}: ${sentMinor} sent back`] : [];
}

function nameOf(row: PaymentRow): string {
  return `${row.kind} ${row.reference} is ${row.status} with ${row.amount_minor}`;
}

/** The states that an audit trail shows of one thing; throws where the chain has a gap. */
export function trailOf(subject: string, audit: readonly AuditRow[]): string[] {
  const entries = audit.filter((entry) => entry.subject === subject);
  let state: string | null = null;
  for (const { from_state, to_state } of entries) {
    if (from_state !== state) {
      throw new Error(`audit of ${subject}: ${from_state} → ${to_state}, but it was ${state}`);
    }
    state = to_state;
  }
  return entries.map(({ to_state }) => to_state);
}
