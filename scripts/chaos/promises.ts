/** Compares the service's answers during the run with its records at the end. */
import { isDeepStrictEqual } from 'node:util';
import {
  cancelledSchedules,
  type Listed,
  type ListedRefund,
  paid,
  refunded,
  transactionStates,
} from './answers.ts';
import {
  type Answer,
  isUncertain,
  lastingAnswer,
  type OperationName,
  refusesFields,
  type Sent,
} from './journal.ts';
import type { Shown } from './quiet.ts';
import type { Rule, Violation } from './violations.ts';

type Add = (rule: Rule, detail: string) => void;

/** Checks that the answers of a booking's requests agree with each other and the list, with no duplicate record. */
export function checkPromises(booking: Shown, requests: readonly Sent[]): Violation[] {
  const violations: Violation[] = [];
  for (const request of requests) {
    const add = (rule: Rule, detail: string) =>
      violations.push({ rule, detail: `${request.path} ${request.key ?? ''}: ${detail}` });
    checkReplays(request, add);
    const answer = lastingAnswer(request);
    if (answer) checkAnswer(request, answer, booking, add);
  }
  return [...violations, ...checkRecords(booking, requests)];
}

/** All final answers to one key are the same (interface: Idempotency). */
function checkReplays(request: Sent, add: Add): void {
  if (request.key === null) return;
  const first = lastingAnswer(request);
  if (!first) {
    const last = request.answers.at(-1);
    if (last && (refusesFields(last) || isUncertain(last))) return;
    add('replay differs', `no lasting answer, only ${describe(last)}`);
    return;
  }
  const later = request.answers.slice(request.answers.indexOf(first) + 1);
  const other = later.find((answer) => !isDeepStrictEqual(answer, first));
  if (other) add('replay differs', `first ${describe(first)}, then ${describe(other)}`);
}

function checkAnswer(request: Sent, answer: Answer, booking: Shown, add: Add): void {
  for (const what of untruths(request.operation, answer, booking)) {
    add('answer not true any more', `${describe(answer)}, but ${what}`);
  }
}

/** The differences between the booking and an operation's answer. */
function untruths(operation: OperationName, answer: Answer, booking: Shown): string[] {
  switch (operation) {
    case 'refund':
      return refundUntruths(answer, booking);
    case 'cancel-schedules':
      return cancelledUntruths(answer, booking);
    case 'cancel-booking':
      return answer.status === 200 && !booking.cancelled ? ['the booking is not cancelled'] : [];
    default:
      return transactionUntruths(operation, answer, booking);
  }
}

/** The possible final states after a successful operation. */
const laterStates = {
  charge: ['Accepted'],
  schedule: ['Pending', 'Accepted', 'Declined', 'Failed', 'Cancelled'],
  hold: ['Authorized', 'Accepted', 'Released', 'Expired'],
  capture: ['Accepted'],
  release: ['Released'],
  'cancel-schedule': ['Cancelled'],
} as const satisfies Readonly<Record<string, readonly Listed['status'][]>>;

/**
 * The final states after a failed operation: a hold that was no longer wanted, and never arrived, is released. Other
 * failures leave the transaction unchanged.
 */
const refusedStates = {
  charge: { 402: ['Declined'], 502: ['Failed'] },
  hold: { 402: ['Declined'], 502: ['Failed', 'Released'] },
} as const satisfies Readonly<Record<string, Record<number, readonly Listed['status'][]>>>;

function transactionUntruths(
  operation: keyof typeof laterStates,
  { status, body }: Answer,
  { transactions }: Shown,
): string[] {
  const answered = paid.safeParse(body).data?.transaction;
  if (!answered) return status === 200 ? ['the answer has no transaction'] : [];
  const listed = transactions.find(({ id }) => id === answered.id);
  if (!listed) return ['the transaction is not listed'];
  const allowed = allowedStates(operation, status);
  // Capturing a part of a hold changes its amount.
  const captured = operation === 'hold' && listed.status === 'Accepted';
  const sameAmount = captured || status !== 200 || listed.amount === answered.amount;
  const sameReference = answered.reference === undefined || answered.reference === listed.reference;
  return [
    ...(allowed.includes(listed.status) ? [] : [`it is ${listed.status}`]),
    ...(sameAmount ? [] : [`its amount is ${listed.amount}`]),
    ...(sameReference ? [] : [`its reference is ${listed.reference}`]),
  ];
}

function allowedStates(
  operation: keyof typeof laterStates,
  status: number,
): readonly Listed['status'][] {
  if (status === 200) return laterStates[operation];
  const makesOne = operation === 'charge' || operation === 'hold';
  return makesOne && (status === 402 || status === 502)
    ? refusedStates[operation][status]
    : transactionStates;
}

function refundUntruths({ body }: Answer, { transactions }: Shown): string[] {
  const all = transactions.flatMap(({ refunds }) => refunds);
  return (refunded.safeParse(body).data?.refunds ?? []).flatMap((answered) => {
    const { id } = answered;
    const listed = all.find((refund) => refund.id === id);
    if (!listed) return [`refund ${id} is not listed`];
    return sameRefund(listed, answered) ? [] : [`refund ${id} is ${JSON.stringify(listed)}`];
  });
}

function cancelledUntruths({ body }: Answer, { transactions }: Shown): string[] {
  return (cancelledSchedules.safeParse(body).data?.cancelled ?? []).flatMap(({ id }) => {
    const listed = transactions.find((transaction) => transaction.id === id);
    return listed?.status === 'Cancelled' ? [] : [`schedule ${id} is ${listed?.status}`];
  });
}

function sameRefund(
  listed: ListedRefund,
  answered: { amount: number; reference: string },
): boolean {
  const { status, amount, reference } = listed;
  return status === 'Refunded' && amount === answered.amount && reference === answered.reference;
}

/** Each record is in the answers of exactly one request: a retry returns the first record and makes no second one. */
function checkRecords({ transactions, reference }: Shown, requests: readonly Sent[]): Violation[] {
  const made = new Map<number, number>();
  for (const request of requests) {
    for (const id of recordsOf(request)) made.set(id, (made.get(id) ?? 0) + 1);
  }
  const ids = transactions.flatMap((transaction) => [
    transaction.id,
    ...transaction.refunds.filter(({ status }) => status !== 'Failed').map(({ id }) => id),
  ]);
  return ids.flatMap((id) => {
    const times = made.get(id) ?? 0;
    if (times === 1) return [];
    const detail = `${reference}: record ${id} is in the answers of ${times} requests`;
    return [{ rule: 'not made by one request', detail } as const];
  });
}

/** The ids in a request's answer. */
function recordsOf(request: Sent): number[] {
  const { operation } = request;
  const body = lastingAnswer(request)?.body;
  if (operation === 'refund') {
    return (refunded.safeParse(body).data?.refunds ?? []).map(({ id }) => id);
  }
  if (operation !== 'charge' && operation !== 'schedule' && operation !== 'hold') return [];
  const transaction = paid.safeParse(body).data?.transaction;
  return transaction ? [transaction.id] : [];
}

function describe(answer: Answer | undefined): string {
  return answer ? `${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}` : 'no answer';
}
