import type { LedgerEntry, Listed } from './answers.ts';
import { lastingAnswer, refusesFields, type Sent } from './journal.ts';
import type { Shown } from './quiet.ts';
import { rules, type Violation } from './violations.ts';

/** The most violations of each rule to print. */
const SHOWN = 5;

/** The result of a run. */
export interface Result {
  readonly requests: readonly Sent[];
  readonly bookings: readonly Shown[];
  readonly ledger: readonly LedgerEntry[];
  readonly replays: number;
  readonly events: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
}

/** The result as text: requests, the service's records, the acquirer's records, and violations. */
export function report(result: Result): string {
  return [
    ...requestTable(result.requests),
    '',
    ...counts('the service has', recorded(result.bookings)),
    ...counts('the acquirer has', tally(result.ledger.map((it) => `${it.kind} ${it.status}`))),
    ...counts('the service logged', result.events),
    '',
    ...verdict(result),
  ].join('\n');
}

function requestTable(requests: readonly Sent[]): string[] {
  const names = [...new Set(requests.map(({ operation }) => operation))].toSorted();
  const rows = names.map((name) => {
    const own = requests.filter(({ operation }) => operation === name);
    return row(name, own);
  });
  const titles = ['sent', 'cut off', '200', '402', '409 422', '502', '504 first', 'faulty'];
  return [line('operation', titles), ...rows, row('all', requests)];
}

function row(name: string, requests: readonly Sent[]): string {
  const having = (...statuses: number[]) =>
    requests.filter((it) => statuses.includes(lastingAnswer(it)?.status ?? 0)).length;
  const cutOff = requests.filter((it) => it.cutOff > 0).length;
  const unknownFirst = requests.filter((it) => it.answers.some(({ status }) => status === 504));
  return line(name, [
    requests.length,
    cutOff,
    having(200),
    having(402),
    having(409, 422),
    having(502),
    unknownFirst.length,
    requests.filter((it) => !lastingAnswer(it) && it.answers.some(refusesFields)).length,
  ]);
}

function line(name: string, columns: readonly (string | number)[]): string {
  return name.padEnd(18) + columns.map((column) => String(column).padStart(11)).join('');
}

function recorded(bookings: readonly Shown[]): Map<string, number> {
  const transactions = bookings.flatMap((booking) => booking.transactions);
  const refunds = transactions.flatMap((transaction) => transaction.refunds);
  return tally([
    ...transactions.map((it) => `${kindOf(it)} ${it.status}`),
    ...refunds.map(({ status }) => `refund ${status}`),
  ]);
}

function kindOf({ preAuth, scheduledTime }: Listed): string {
  if (preAuth) return 'hold';
  return scheduledTime === undefined ? 'charge' : 'schedule';
}

function tally(names: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const name of names.toSorted()) counted.set(name, (counted.get(name) ?? 0) + 1);
  return counted;
}

function counts(title: string, counted: ReadonlyMap<string, number>): string[] {
  const parts = [...counted].map(([name, count]) => `${count} ${name}`);
  return [`${title.padEnd(20)} ${parts.join(', ') || 'nothing'}`];
}

function verdict({ violations, replays }: Result): string[] {
  const found = rules.map((rule) => {
    const own = violations.filter((violation) => violation.rule === rule);
    const details = own.slice(0, SHOWN).map(({ detail }) => `    ${detail}`);
    return [`${String(own.length).padStart(5)} ${rule}`, ...details].join('\n');
  });
  return [
    `At the end, every request with a key was sent again (${replays} replays). Violations:`,
    ...found,
  ];
}
