import { LruCache } from '../core/lruCache.ts';

/** How long a notification waits, so that one call covers what is queued for the same receiver by then. */
const COALESCE_MS = 20;

/** How many receivers with a pending notification are remembered. A forgotten one gets an extra notification. */
const MOST_PENDING = 1_000;

/**
 * Notifications of dispatchers: one call covers everything that this isolate queues for a receiver within
 * {@link COALESCE_MS}. If the call is lost, the sweep finds what it was about.
 */
export class Coalescing {
  /** When each pending notification is due, by its receiver. */
  readonly #pendingUntilMs = new LruCache<number>(MOST_PENDING);

  /** Whether this call is the one that notifies the receiver; a pending notification covers all others. */
  isFirst(receiver: string): boolean {
    const nowMs = Date.now();
    const waitsMs = (this.#pendingUntilMs.get(receiver) ?? 0) - nowMs;
    // What waits longer was noted before the clock was set back: it must not silence the receiver.
    if (waitsMs > 0 && waitsMs <= COALESCE_MS) return false;
    this.#pendingUntilMs.set(receiver, nowMs + COALESCE_MS);
    return true;
  }

  /** Waits until the notification goes out: what is queued from now on needs another one. */
  async wait(receiver: string): Promise<void> {
    await scheduler.wait(COALESCE_MS);
    this.#pendingUntilMs.delete(receiver);
  }
}
