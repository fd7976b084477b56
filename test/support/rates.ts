import { clientTallies } from '../../src/http/rate.ts';
import { REQUESTS_PER_LOOK } from '../../src/http/tally.ts';

/** Sees to it that the next request of each of these keys waits for a look at its limiter, whatever was counted before. */
export async function refusedBefore(keys: readonly string[]): Promise<void> {
  const limit = async (): Promise<RateLimitOutcome> => ({ success: false });
  for (const key of keys) {
    const looks: Promise<boolean>[] = [];
    const ask = (nowMs: number) =>
      clientTallies.mayAsk({ limit }, key, nowMs, (look) => looks.push(look));
    // At a time that has nothing to do with now: what comes then begins anew.
    await ask(0);
    for (let made = 0; made < REQUESTS_PER_LOOK; made += 1) await ask(Date.now());
    await Promise.all(looks);
  }
}
