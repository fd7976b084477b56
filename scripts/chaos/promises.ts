/** What the service answered during the run, held against what it shows at the end. */
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
  lastingAnswer,
  type OperationName,
  refusesFields,
  type Sent,
} from './journal.ts';
import type { Shown } from './quiet.ts';
import type { Rule, Violation } from './violations.ts';

type Add = (rule: Rule, detail: string) => void;

/** Checks every request of one booking: its answers agree with each other, with the list, and nothing was recorded twice. */
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

/** All last words to one key are the same (decisions: section 4). */
function checkReplays(request: Sent, add: Add): void {
  if (request.key === null) return;
  const first = lastingAnswer(request);
  if (!first) {
    if (request.answers.every(refusesFields)) return;
    add('replay differs', `no lasting answer, only ${describe(request.answers.at(-1))}`);
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

/** What the booking shows otherwise than the answer to an operation said. */
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

/** Which states an acknowledged operation may have led to by the end of the run. */
const laterStates = {
  charge: ['Accepted'],
  schedule: ['Pending', 'Accepted', 'Declined', 'Failed', 'Cancelled'],
  hold: ['Authorized', 'Accepted', 'Released', 'Expired'],
  capture: ['Accepted'],
  release: ['Released'],
  'cancel-schedule': ['Cancelled'],
} as const satisfies Readonly<Record<string, readonly Listed['status'][]>>;

/** Which states a refused operation has led to; others leave the transaction as it was. */
const refusedStates = { 402: 'Declined', 502: 'Failed' } as const satisfies Readonly<
  Record<number, Listed['status']>
>;

function transactionUntruths(
  operation: keyof typeof laterStates,
  { status, body }: Answer,
  { transactions }: Shown,
): string[] {
  const told = paid.safeParse(body).data?.transaction;
  if (!told) return status === 200 ? ['there is no transaction in it'] : [];
  const listed = transactions.find(({ id }) => id === told.id);
  if (!listed) return ['the transaction is not listed'];
  const allowed = allowedStates(operation, status);
  // Capturing a part of a hold changes its amount.
  const captured = operation === 'hold' && listed.status === 'Accepted';
  const sameAmount = captured || status !== 200 || listed.amount === told.amount;
  const sameReference = told.reference === undefined || told.reference === listed.reference;
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
    ? [refusedStates[status]]
    : transactionStates;
}

function refundUntruths({ body }: Answer, { transactions }: Shown): string[] {
  const all = transactions.flatMap(({ refunds }) => refunds);
  return (refunded.safeParse(body).data?.refunds ?? []).flatMap((told) => {
    const listed = all.find(({ id }) => id === told.id);
    if (!listed) return [`refund ${told.id} is not listed`];
    return sameRefund(listed, told) ? [] : [`refund ${told.id} is ${JSON.stringify(listed)}`];
  });
}

function cancelledUntruths({ body }: Answer, { transactions }: Shown): string[] {
  return (cancelledSchedules.safeParse(body).data?.cancelled ?? []).flatMap(({ id }) => {
    const listed = transactions.find((transaction) => transaction.id === id);
    return listed?.status === 'Cancelled' ? [] : [`schedule ${id} is ${listed?.status}`];
  });
}

function sameRefund(listed: ListedRefund, told: { amount: number; reference: string }): boolean {
  const { status, amount, reference } = listed;
  return status === 'Refunded' && amount === told.amount && reference === told.reference;
}

/** Each record was made by exactly one request: a caller who sent again got no second charge, and was told of the first. */
function checkRecords({ transactions, reference }: Shown, requests: readonly Sent[]): Violation[] {
  const made = new Map<number, number>();
  for (const request of requests) {
    for (const id of recordsOf(request)) made.set(id, (made.get(id) ?? 0) + 1);
  }
  const standing = transactions.flatMap((transaction) => [
    transaction.id,
    ...transaction.refunds.filter(({ status }) => status !== 'Failed').map(({ id }) => id),
  ]);
  return standing.flatMap((id) => {
    const times = made.get(id) ?? 0;
    if (times === 1) return [];
    const detail = `${reference}: record ${id} stands in the answers of ${times} requests`;
    return [{ rule: 'not made by one request', detail } as const];
  });
}

/** The records that a request says it made. */
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
