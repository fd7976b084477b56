import { SECOND_MS } from '../../core/time.ts';

/** The shortest and the longest pause after D1 had too much waiting. */
const SHORTEST_PAUSE_MS = 2 * SECOND_MS;
const LONGEST_PAUSE_MS = 30 * SECOND_MS;

/**
 * How long an alarm waits that D1 refused so often in a row, in milliseconds: up to twice as long each time. `share`, from 0
 * to 1, spreads what was refused at once.
 */
export function pauseAfterRefusals(refusals: number, share: number): number {
  const longestMs = Math.min(SHORTEST_PAUSE_MS * 2 ** refusals, LONGEST_PAUSE_MS);
  return Math.round(SHORTEST_PAUSE_MS + share * (longestMs - SHORTEST_PAUSE_MS));
}
