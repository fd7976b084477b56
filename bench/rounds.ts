import { measure, type Round, warm } from './load.ts';
import type { Target, TargetName } from './targets.ts';

/** How many connections send at once; each number is measured by itself. */
export const connectionCounts = [1, 16] as const;

export type Connections = (typeof connectionCounts)[number];

/** How often everything is measured. */
const CYCLES = 24;

/** Rounds before those that count: the runtime makes code fast that has run some thousand times. */
const WARM_ROUNDS = 6;

/** Everything that was measured of one target at one number of connections, a round a cycle. */
export interface Measured {
  readonly target: TargetName;
  readonly connections: Connections;
  readonly rounds: Round[];
}

/**
 * Measures all targets in turn, again and again, in short rounds: whatever slows the machine down for a
 * while slows all of them alike. Nothing is measured before all that it runs is warm. Stops after a cycle with errors.
 */
export async function measureAll(
  targets: readonly Target[],
  seconds: number,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<Measured[]> {
  progress('Warming up');
  for (const target of targets) {
    await warm(target);
    signal.throwIfAborted();
  }
  for (let round = 1; round <= WARM_ROUNDS; round += 1) {
    for (const target of targets) {
      await measure(target, Math.max(...connectionCounts), seconds, signal);
      signal.throwIfAborted();
    }
  }
  const series = connectionCounts.flatMap((connections) =>
    targets.map((target) => ({ target, connections, rounds: [] as Round[] })),
  );
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    progress(`Cycle ${cycle} of ${CYCLES}: ${series.length} rounds of ${seconds} s`);
    for (const { target, connections, rounds } of series) {
      rounds.push(await measure(target, connections, seconds, signal));
      signal.throwIfAborted();
    }
    if (series.some(({ rounds }) => rounds.some(({ errors }) => errors.length > 0))) break;
  }
  return series.map(({ target, connections, rounds }) => ({
    target: target.name,
    connections,
    rounds,
  }));
}
