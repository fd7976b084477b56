/** Costs as the tables of docs/scale.md show them. */
import type { Used } from './counting.ts';

/** The columns of the table of operations, in their order. */
const COLUMNS: readonly (readonly [keyof Used, string])[] = [
  ['requests', 'HTTP requests'],
  ['d1', 'D1 round trips'],
  ['rowsRead', 'rows read'],
  ['rowsWritten', 'rows written'],
  ['objectRequests', 'object requests'],
  ['objectRows', 'object rows'],
  ['gatewayCalls', 'gateway calls'],
  ['r2ClassA', 'R2 A'],
  ['r2ClassB', 'R2 B'],
  ['fetches', 'fetches'],
];

/** What operations used, by their names, as a markdown table; what is not used is left blank. */
export function operationsTable(costs: ReadonlyMap<string, Used>): string {
  const rows = [...costs].map(([name, cost]) => [
    name,
    ...COLUMNS.map(([column]) => (cost[column] === 0 ? '' : String(cost[column]))),
  ]);
  return markdown(['operation', ...COLUMNS.map(([, title]) => title)], rows);
}

/** A markdown table, its first column of names and all others of numbers. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const ruler = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(ruler), ...rows.map(line)].join('\n');
}

/** The lines of the table of a page whose first column is headed so. */
export function tableOf(page: string, head: string): string[] {
  const lines = page.split('\n');
  const first = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  const after = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  return first === -1 ? [] : lines.slice(first, after);
}

/** Whether two lines of a table say the same, each number within so many hundredths of the other. */
export function saysAbout(line: string, other: string, percent: number): boolean {
  const number = /\d+(?:\.\d+)?/g;
  const [ours = [], theirs = []] = [line, other].map((text) => text.match(number)?.map(Number));
  const near = (one: number, two = Number.NaN) =>
    Math.abs(one - two) <= (percent / 100) * Math.max(one, two);
  return (
    line.replaceAll(number, '') === other.replaceAll(number, '') &&
    ours.every((one, index) => near(one, theirs[index]))
  );
}
