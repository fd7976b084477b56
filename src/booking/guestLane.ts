/**
 * The most payments of guests that run or wait for one booking. Guests are strangers with a link: more of them would
 * hold up the property's own operations.
 */
export const MOST_GUESTS = 5;

/** Keeps the payments of guests from filling a booking's queue. */
export class GuestLane {
  #inside = 0;

  /** Runs an operation; null, without running it, if too many are inside. */
  async run<T>(operation: () => Promise<T>): Promise<T | null> {
    if (this.#inside >= MOST_GUESTS) return null;
    this.#inside += 1;
    try {
      return await operation();
    } finally {
      this.#inside -= 1;
    }
  }
}
