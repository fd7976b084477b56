import type { Round } from './load.ts';

/** The summary of a target's rounds. */
export interface Summary {
  readonly requests: number;
  readonly errors: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Summarises rounds. Ranks the latencies of all rounds together. */
export function summarize(rounds: readonly Round[]): Summary {
  const latenciesMs = rounds.flatMap((round) => round.latenciesMs).toSorted((a, b) => a - b);
  const elapsedMs = rounds.reduce((total, round) => total + round.elapsedMs, 0);
  return {
    requests: latenciesMs.length,
    errors: rounds.reduce((total, round) => total + round.errors.length, 0),
    requestsPerSecond: elapsedMs === 0 ? 0 : (latenciesMs.length * 1_000) / elapsedMs,
    p50Ms: ranked(latenciesMs, 0.5),
    p99Ms: ranked(latenciesMs, 0.99),
  };
}

/**
 * The ratio of two targets' throughputs: the median over the cycles. A cycle measures both within seconds of each
 * other.
 */
export function throughputRatio(one: readonly Round[], other: readonly Round[]): number {
  const ratios = one.flatMap((round, cycle) => {
    const against = other[cycle];
    return against ? [perSecond(round) / perSecond(against)] : [];
  });
  return ranked(
    ratios.toSorted((a, b) => a - b),
    0.5,
  );
}

function perSecond({ latenciesMs, elapsedMs }: Round): number {
  return (latenciesMs.length * 1_000) / elapsedMs;
}

/** The median, the 99th percentile and the maximum. */
export function spread(values: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: ranked(sorted, 0.5), p99: ranked(sorted, 0.99), max: ranked(sorted, 1) };
}

/** The quantile of sorted values; NaN when there are none. */
function ranked(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
