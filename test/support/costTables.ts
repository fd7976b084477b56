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
