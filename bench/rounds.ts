import { measure, type Round, warm } from './load.ts';
import type { Target, TargetName } from './targets.ts';

/** The numbers of connections, each measured separately. */
export const connectionCounts = [1, 16] as const;

export type Connections = (typeof connectionCounts)[number];

/** How often to measure everything. */
const CYCLES = 24;

/** Rounds before the measured ones: V8 optimises code after some thousand runs. */
const WARM_ROUNDS = 6;

/** The rounds of one target at one number of connections, one for each cycle. */
export interface Measured {
  readonly target: TargetName;
  readonly connections: Connections;
  readonly rounds: Round[];
}

/**
 * Measures all targets in turn, in many short rounds, so that a slow moment of the machine affects all of them. Warms
 * everything up first. Stops after a cycle with errors.
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
