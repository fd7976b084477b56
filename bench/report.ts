import type { Round } from './load.ts';
import { type Connections, connectionCounts, type Measured } from './rounds.ts';
import { summarize, throughputRatio } from './statistics.ts';
import { type TargetName, targetNames } from './targets.ts';

/** What is compared with what: the service with its yardsticks, then the yardsticks among themselves. */
const comparisons: readonly (readonly [TargetName, TargetName])[] = [
  ['charge', 'bare charge'],
  ['charge', 'bare charge + acquirer'],
  ['bare charge + acquirer', 'bare charge'],
  ['list', 'bare read'],
  ['details', 'bare read'],
  ['token check', 'empty route'],
  ['rate limit', 'empty route'],
  ['bare charge', 'empty route'],
  ['bare read', 'empty route'],
  ['empty object call', 'empty route'],
];

const NAME_WIDTH = 32;
const COLUMN_WIDTH = 9;

/** The measurements and the ratios as text, one table each. */
export function report(measured: readonly Measured[]): string {
  return [
    ...measurements(measured),
    '',
    ...ratios(measured),
    '',
    'Ratios: requests per second as the median over the cycles (1 × is as many), p50 over all requests',
    '(1 × is as fast). They tell something of the service; the figures above them are this machine’s.',
  ].join('\n');
}

function measurements(measured: readonly Measured[]): string[] {
  const rows = targetNames.map((name) => {
    const groups = connectionCounts.map((connections) => {
      const { requestsPerSecond, p50Ms, p99Ms } = summarize(roundsOf(measured, name, connections));
      return columns(requestsPerSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2));
    });
    const all = summarize(connectionCounts.flatMap((count) => roundsOf(measured, name, count)));
    return line(name, [...groups, columns(String(all.requests), String(all.errors))]);
  });
  const units = connectionCounts.map(() => columns('req/s', 'p50 ms', 'p99 ms'));
  return [
    line('', [...titles(3), columns('all', '')]),
    line('', [...units, columns('requests', 'errors')]),
    ...rows,
  ];
}

function ratios(measured: readonly Measured[]): string[] {
  const rows = comparisons.map(([one, other]) => {
    const groups = connectionCounts.map((connections) => {
      const ones = roundsOf(measured, one, connections);
      const others = roundsOf(measured, other, connections);
      const latency = summarize(ones).p50Ms / summarize(others).p50Ms;
      return columns(times(throughputRatio(ones, others)), times(latency));
    });
    return line(`${one} / ${other}`, groups);
  });
  const units = connectionCounts.map(() => columns('req/s', 'p50'));
  return [line('', titles(2)), line('', units), ...rows];
}

/** What the first few failed requests were told. */
export function firstErrors(measured: readonly Measured[]): string[] {
  return measured
    .flatMap(({ target, rounds }) =>
      rounds.flatMap(({ errors }) => errors.map((error) => `${target}: ${error}`)),
    )
    .slice(0, 5);
}

function roundsOf(
  measured: readonly Measured[],
  target: TargetName,
  connections: Connections,
): readonly Round[] {
  const found = measured.find((one) => one.target === target && one.connections === connections);
  return found?.rounds ?? [];
}

function titles(width: number): string[] {
  return connectionCounts.map((connections) =>
    `${connections} connection${connections === 1 ? '' : 's'}`.padStart(COLUMN_WIDTH * width),
  );
}

function columns(...texts: string[]): string {
  return texts.map((text) => text.padStart(COLUMN_WIDTH)).join('');
}

function line(name: string, groups: readonly string[]): string {
  return [name.padEnd(NAME_WIDTH), ...groups].join(' │');
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}
