/** How much slower a caller's charges are beside another caller who reads without a pause. */
import { spread } from './statistics.ts';

/** How often charges alone and charges beside a reader take turns, and how many charges a turn has. */
const CYCLES = 8;
const CHARGES = 25;

/** How often both are sent before. */
const WARM_UP = 20;

/** How much slower a charge may be beside a reader. */
const MOST_SLOWER = 1.5;

/** What was sent, and how it was answered. */
export interface Measured {
  readonly name: string;
  readonly status: number;
  readonly ms: number;
}

type Send = () => Promise<Response>;

/** A request that only reads. */
interface Reader {
  readonly name: string;
  readonly send: Send;
}

/** The slowest of what only reads and was answered, by what the requests in the same places took. */
export function slowestOf(
  requests: readonly (Reader & { readonly reads: boolean })[],
  measured: readonly Measured[],
  count: number,
): Reader[] {
  return requests
    .map((one, at) => ({ ...one, ms: measured[at]?.ms ?? 0, status: measured[at]?.status }))
    .filter(({ reads, status }) => reads && status === 200)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count);
}

/** Charges beside each of some readers. Prints what they do to them, and says whether none makes them too slow. */
export async function compareReaders(charge: Send, readers: readonly Reader[]): Promise<boolean> {
  console.log('\n› charges beside a reader without a pause, of those alone:');
  const found: Beside[] = [];
  for (const { name, send } of readers) {
    const one = await beside(
      name,
      () => must(charge),
      () => must(send),
    );
    console.log(lineOf(one));
    found.push(one);
  }
  const wrong = found.filter(({ ratio }) => ratio > MOST_SLOWER);
  for (const one of wrong) console.error(`Too slow beside it: ${lineOf(one)}`);
  return wrong.length === 0;
}

function lineOf({ aloneMs, besideMs, name, ratio }: Beside): string {
  const [alone, together] = [aloneMs, besideMs].map((ms) => ms.toFixed(1));
  return `  ${ratio.toFixed(2)} ×  ${together} of ${alone} ms  ${name}`;
}

/** What a reader does to the charges of another caller. */
interface Beside {
  readonly name: string;
  /** The medians over all turns, in milliseconds. */
  readonly aloneMs: number;
  readonly besideMs: number;
  /** How much slower: the median of the cycles, each of which measures both within seconds of each other. */
  readonly ratio: number;
}

/** Does something, and throws where it went wrong. */
type Act = () => Promise<void>;

/** Measures charges alone and beside a reader in turns, so that whatever slows the machine slows both. */
async function beside(name: string, charge: Act, read: Act): Promise<Beside> {
  const alone: number[] = [];
  const together: number[] = [];
  // Both are warm before either is measured.
  for (let turn = 0; turn < WARM_UP; turn += 1) {
    await read();
    await charge();
  }
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
async function medianOf(charge: Act): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < CHARGES; at += 1) {
    const startMs = performance.now();
    await charge();
    took.push(performance.now() - startMs);
  }
  return spread(took).p50;
}

async function repeat(read: Act, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await read();
}

async function must(send: Send): Promise<void> {
  const answer = await send();
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
}
