import { Recent } from '../core/recent.ts';
import { SECOND_MS } from '../core/time.ts';

/**
 * How many of a caller's requests are counted here before its limiter is told of them by one look, which leaves the isolate. A limiter
 * is therefore set to a fiftieth of the requests that its callers may make.
 */
export const REQUESTS_PER_LOOK = 50;

/** How long requests are counted together, here and by the limiter. */
export const WINDOW_SECONDS = 10;

const WINDOW_MS = WINDOW_SECONDS * SECOND_MS;

/** How many callers are counted at once; one that was forgotten begins anew. */
const MOST_CALLERS = 10_000;

/** A caller's requests of the last ten seconds at most. */
interface Tally {
  readonly sinceMs: number;
  readonly count: number;
  /** Whether the last look refused them: then each request looks, until one is let through. */
  readonly refused: boolean;
}

/** What one isolate counts of a limiter's callers, by the limiter's keys. */
export class Tallies {
  readonly #known = new Recent<Tally>(MOST_CALLERS);

  /**
   * Whether a caller may make one more request. The fiftieth looks, for itself and those before it: so no request is counted that
   * was not made, however many isolates they come to. It waits for nothing: `beside` is given its look, whose answer holds for
   * whoever comes next. Who comes after a refusal waits for a look of their own. Each isolate may let forty-nine through in
   * a window of which the limiter is never told, and those that come while it looks.
   */
  async mayAsk(
    limiter: RateLimit,
    key: string,
    nowMs: number,
    beside: (look: Promise<boolean>) => void,
  ): Promise<boolean> {
    const tally = withOneMore(this.#known.get(key), nowMs);
    this.#known.set(key, tally);
    if (tally.refused) return this.#look(limiter, key, tally);
    if (tally.count % REQUESTS_PER_LOOK === 0) beside(this.#look(limiter, key, tally));
    return true;
  }

  async #look(limiter: RateLimit, key: string, tally: Tally): Promise<boolean> {
    const { success } = await limiter.limit({ key });
    // Others may have been counted meanwhile.
    this.#known.set(key, { ...(this.#known.get(key) ?? tally), refused: !success });
    return success;
  }
}

/** A clock that was set back begins a new tally as well. */
function withOneMore(tally: Tally | undefined, nowMs: number): Tally {
  return tally !== undefined && tally.sinceMs <= nowMs && nowMs < tally.sinceMs + WINDOW_MS
    ? { ...tally, count: tally.count + 1 }
    : { sinceMs: nowMs, count: 1, refused: false };
}
