import type { AcquirerOperation } from '../../../src/sandbox/acquirer/operations.ts';
import { minorOf } from './compare.ts';
import type { AuditRow, MessageRow, PaymentRow, RefundRow, Rows } from './rows.ts';

/**
 * What must hold of D1 after each operation: the journal has come to what the rows say, and the PMS is told just that.
 * Tells what does not.
 */
export function brokenBooks(rows: Rows): string[] {
  return [...rows.payments.flatMap((row) => brokenTotals(row, rows)), ...brokenMessages(rows)];
}

function brokenTotals(row: PaymentRow, rows: Rows): string[] {
  const total = rows.totals.find(({ transaction_id }) => transaction_id === row.id);
  const taken = row.status === 'Accepted';
  return [
    ...differs(row, 'taken', total?.taken_minor, taken ? row.amount_minor : 0),
    ...differs(row, 'fees', total?.fee_minor, taken ? row.amount_minor - row.requested_minor : 0),
    ...differs(row, 'refunded', total?.refunded_minor, refundedOf(row, rows)),
    ...differs(row, 'disputed', total?.disputed_minor, withdrawnOf(row, rows)),
  ];
}

function differs(row: PaymentRow, what: string, journal: number | undefined, right: number) {
  const seen = journal ?? 0;
  return seen === right ? [] : [`${nameOf(row)}: the journal has ${what} ${seen}, not ${right}`];
}

function refundedOf({ id }: PaymentRow, { refunds }: Rows): number {
  return sumOf(refunds.filter((it) => it.transaction_id === id && it.status === 'Refunded'));
}

function withdrawnOf({ id }: PaymentRow, { disputes }: Rows): number {
  return disputes
    .filter(({ transaction_id }) => transaction_id === id)
    .reduce((sum, { withdrawn_minor }) => sum + withdrawn_minor, 0);
}

function sumOf(rows: readonly { readonly amount_minor: number }[]): number {
  return rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
}

/** Each charge is told once, with its fees; what was given back or withdrawn is told in all. */
function brokenMessages(rows: Rows): string[] {
  const { messages, payments } = rows;
  const paid = messages.filter(({ type }) => type === 'Payment').map(paymentLine);
  const right = payments
    .filter(({ status }) => status === 'Accepted')
    .map((row) => `${row.id}: ${row.amount_minor} with ${row.requested_minor} net`);
  const returned = messages.filter(({ type }) => type === 'Refund');
  const toldMinor = returned.reduce((sum, { gross }) => sum + minorOf(Number(gross)), 0);
  const movedMinor = payments.reduce(
    (sum, row) => sum + refundedOf(row, rows) + withdrawnOf(row, rows),
    0,
  );
  return [
    ...(paid.toSorted().join() === right.toSorted().join()
      ? []
      : [`the PMS is told of ${paid.join()}, right is ${right.join()}`]),
    ...(toldMinor === movedMinor
      ? []
      : [`the PMS is told of ${toldMinor} returned, right is ${movedMinor}`]),
  ];
}

function paymentLine({ id, gross, net, fee, fixed_fee: fixedFee }: MessageRow): string {
  const netMinor = minorOf(Number(gross)) - minorOf(Number(fee)) - minorOf(Number(fixedFee));
  if (netMinor !== minorOf(Number(net))) return `${id}: fees ${fee} and ${fixedFee} of ${gross}`;
  return `${id}: ${minorOf(Number(gross))} with ${netMinor} net`;
}

/**
 * What must hold of D1 and the acquirer's ledger whatever the model says: money was moved once for each record
 * that says so, and for nothing else. `isAhead` tells of which charges the acquirer may know more than it told.
 * Tells what does not hold.
 */
export function brokenPromises(
  rows: Rows,
  ledger: readonly AcquirerOperation[],
  isAhead: (reference: string) => boolean,
): string[] {
  const made = ledger.filter(({ status }) => status === 'succeeded');
  const keys = made.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const twice = new Set(keys).size === keys.length ? [] : ['two effects under one key'];
  const known = new Set([...rows.payments, ...rows.refunds].map(({ reference }) => reference));
  const letGo = new Set(made.flatMap((it) => (it.kind === 'release' ? it.reference : [])));
  // After D1 is restored, it has to learn of some; what was let go leaves nothing to learn.
  const strangers = made
    .filter(({ reference }) => !known.has(reference ?? '') && !letGo.has(reference))
    .filter(({ reference }) => !isAhead(reference ?? ''));
  return [
    ...twice,
    ...strangers.map(({ kind }) => `nothing here stands for a ${kind}`),
    ...rows.payments.flatMap((row) => brokenPayment(row, rows, ledger, isAhead(row.reference))),
  ];
}

function brokenPayment(
  row: PaymentRow,
  rows: Rows,
  ledger: readonly AcquirerOperation[],
  ahead: boolean,
): string[] {
  const ofRow = ledger.find(
    ({ kind, reference, status }) =>
      reference === row.reference &&
      status === 'succeeded' &&
      (kind === 'charge' || kind === 'authorization'),
  );
  const own = ledger.filter(({ payment }) => ofRow !== undefined && payment === ofRow.payment);
  const refunds = rows.refunds.filter(({ transaction_id }) => transaction_id === row.id);
  const open = [row, ...refunds].some(({ status }) => status === 'Processing');
  return [
    ...brokenTaking(row, own, ahead),
    ...refunds.flatMap((refund) => brokenRefund(refund, own, ahead)),
    ...brokenReturn(row, own),
    ...(open || ahead ? [] : brokenSum(row, rows, own)),
  ];
}

/** Accepted is one charge or capture of that amount; anything that is certain and not Accepted is none. */
function brokenTaking(
  row: PaymentRow,
  own: readonly AcquirerOperation[],
  ahead: boolean,
): string[] {
  const taken = own.filter(({ kind, status }) => status === 'succeeded' && isTaking(kind));
  const amounts = taken.map(({ amountMinor }) => amountMinor).join(' and ') || 'nothing';
  const right =
    row.status === 'Accepted'
      ? taken.length === 1 && taken[0]?.amountMinor === row.amount_minor
      : // While the outcome is unknown, one may stand there already.
        taken.length <= (row.status === 'Processing' || ahead ? 1 : 0);
  return right ? [] : [`${nameOf(row)}, but the acquirer took ${amounts}`];
}

function isTaking(kind: string): boolean {
  return kind === 'charge' || kind === 'capture';
}

/** Refunded is one refund of that amount; Failed is none. */
function brokenRefund(row: RefundRow, own: readonly AcquirerOperation[], ahead: boolean): string[] {
  const sent = own.filter(
    ({ gatewayReference, idempotencyKey, kind, status }) =>
      kind === 'refund' &&
      status === 'succeeded' &&
      (idempotencyKey === row.reference || gatewayReference === row.gateway_reference),
  );
  const fits = sent.every(({ amountMinor }) => amountMinor === row.amount_minor);
  const open = row.status === 'Processing' || ahead;
  const right = open ? sent.length <= 1 : sent.length === (row.status === 'Refunded' ? 1 : 0);
  return right && fits ? [] : [`refund ${row.reference} is ${row.status}: sent ${sent.length}`];
}

/** No more goes back than was taken. */
function brokenReturn(row: PaymentRow, own: readonly AcquirerOperation[]): string[] {
  const sum = (...kinds: string[]) =>
    own
      .filter(({ kind, status }) => kinds.includes(kind) && status === 'succeeded')
      .reduce((total, { amountMinor }) => total + amountMinor, 0);
  const sentMinor = sum('refund');
  return sentMinor > sum('charge', 'capture') ? [`${nameOf(row)}: ${sentMinor} sent back`] : [];
}

/** What is certain and told has come to the same in the journal and at the acquirer. */
function brokenSum(row: PaymentRow, rows: Rows, own: readonly AcquirerOperation[]): string[] {
  const total = rows.totals.find(({ transaction_id }) => transaction_id === row.id);
  const here = total ? total.taken_minor - total.refunded_minor - total.disputed_minor : 0;
  const there = own.reduce((sum, { movedMinor }) => sum + movedMinor, 0);
  return here === there ? [] : [`${nameOf(row)}: ${here} in the journal, ${there} at the acquirer`];
}

function nameOf(row: PaymentRow): string {
  return `${row.kind} ${row.reference} is ${row.status} with ${row.amount_minor}`;
}

/** States that only the acquirer's record leads out of. */
const CORRECTED_ONLY = new Set(['Failed', 'Declined', 'Released', 'Expired', 'Refunded']);

/** The states that an audit trail shows of one thing; throws where the chain has a gap or a final state was left. */
export function trailOf(subject: string, audit: readonly AuditRow[]): string[] {
  const entries = audit.filter((entry) => entry.subject === subject);
  let state: string | null = null;
  for (const { actor, from_state, to_state } of entries) {
    const step = `audit of ${subject}: ${from_state} → ${to_state}`;
    const isTakenOver = state === null && from_state === 'Processing' && actor === 'gateway';
    if (from_state !== state && !isTakenOver) throw new Error(`${step}, but it was ${state}`);
    if (state !== null && CORRECTED_ONLY.has(state) && actor !== 'gateway') {
      throw new Error(`${step} by ${actor}`);
    }
    state = to_state;
  }
  return entries.map(({ to_state }) => to_state);
}
