import { type Figure, NOISE } from './figures.ts';
import type { Round } from './load.ts';
import { type Connections, connectionCounts, type Measured } from './rounds.ts';
import { summarize, throughputRatio } from './statistics.ts';
import { comparisons, type TargetName, targetNames } from './targets.ts';

const NAME_WIDTH = 32;
const COLUMN_WIDTH = 9;

/** The measurements and the ratios as text, one table each. */
export function report(measured: readonly Measured[]): string {
  return [
    ...measurements(measured),
    '',
    ...ratios(measured),
    '',
    'Ratios: requests per second are the median over the cycles (1 × is equal); p50 is over all requests (1 × is equal).',
    'Judge the service by the ratios: the figures above depend on this machine. Bare reads and bare charges call',
    'the rate limiter, as the service does. The simulated limiter writes to disk on each request (“rate limit / empty',
    'route” shows that cost); Cloudflare’s limiter counts in memory.',
  ].join('\n');
}

function measurements(measured: readonly Measured[]): string[] {
  const found = new Set(measured.map(({ target }) => target));
  const rows = targetNames
    .filter((name) => found.has(name))
    .map((name) => {
      const groups = connectionCounts.map((connections) => {
        const { requestsPerSecond, p50Ms, p99Ms } = summarize(
          roundsOf(measured, name, connections),
        );
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
  const names = new Set(measured.map(({ target }) => target));
  const compared = comparisons.filter(({ one, other }) => names.has(one) && names.has(other));
  const rows = compared.map(({ one, other, wanted }) => {
    const found = ratiosOf(measured, one, other);
    const groups = found.map(({ throughput, latency }) =>
      columns(times(throughput), times(latency)),
    );
    const least = Math.min(...found.map(({ throughput }) => throughput));
    return line(`${one} / ${other}`, [...groups, wanted === null ? '' : verdict(least, wanted)]);
  });
  const units = connectionCounts.map(() => columns('req/s', 'p50'));
  return [line('', [...titles(2), '  req/s target']), line('', [...units, '']), ...rows];
}

/** The ratios of one target to another, at each number of connections. */
function ratiosOf(measured: readonly Measured[], one: TargetName, other: TargetName) {
  return connectionCounts.map((connections) => {
    const ones = roundsOf(measured, one, connections);
    const others = roundsOf(measured, other, connections);
    const latency = summarize(ones).p50Ms / summarize(others).p50Ms;
    return { throughput: throughputRatio(ones, others), latency };
  });
}

/** The ratios that have a target, by requests per second. */
export function ratioFigures(measured: readonly Measured[]): Figure[] {
  return comparisons.flatMap(({ one, other, wanted }) =>
    wanted === null
      ? []
      : [
          {
            name: `${one} / ${other}`,
            values: ratiosOf(measured, one, other).map(({ throughput }) => throughput),
            unit: '×',
            digits: 2,
            target: { bound: 'least', value: wanted } as const,
            tolerance: NOISE,
          },
        ],
  );
}

function verdict(found: number, wanted: number): string {
  return `${columns(times(wanted))} ${found >= wanted ? 'reached' : 'missed'}`;
}

/** The errors of the first few failed requests. */
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
