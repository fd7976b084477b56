/** How much slower a caller's charges are beside another caller who reads without a pause. */
import { spread } from './statistics.ts';

/** How often charges alone and charges beside a reader take turns, and how many charges a turn has. */
const CYCLES = 8;
const CHARGES = 25;

/** Sends one request, and throws where it was not answered as it should be. */
export type Send = () => Promise<void>;

/** What a reader does to the charges of another caller. */
export interface Beside {
  readonly name: string;
  /** The medians over all turns, in milliseconds. */
  readonly aloneMs: number;
  readonly besideMs: number;
  /** How much slower: the median of the cycles, each of which measures both within seconds of each other. */
  readonly ratio: number;
}

/** Measures charges alone and beside a reader in turns, so that whatever slows the machine slows both. */
export async function beside(name: string, charge: Send, read: Send): Promise<Beside> {
  const alone: number[] = [];
  const together: number[] = [];
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    alone.push(await medianOf(charge));
    const stop = new AbortController();
    const reading = repeat(read, stop.signal);
    try {
      together.push(await medianOf(charge));
    } finally {
      stop.abort();
      await reading;
    }
  }
  const ratios = together.map((ms, cycle) => ms / (alone[cycle] ?? Number.NaN));
  return {
    name,
    aloneMs: spread(alone).p50,
    besideMs: spread(together).p50,
    ratio: spread(ratios).p50,
  };
}

/** The median time of a turn's charges, in milliseconds. */
async function medianOf(charge: Send): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < CHARGES; at += 1) {
    const startMs = performance.now();
    await charge();
    took.push(performance.now() - startMs);
  }
  return spread(took).p50;
}

async function repeat(read: Send, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await read();
}
