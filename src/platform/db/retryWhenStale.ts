/** A write that changed nothing, because the state it relied on has changed. */
export class StaleState extends Error {}

/** How often to try, and which errors mean that the state has changed since the read. */
interface Retry {
  readonly attempts: number;
  readonly isStale: (error: unknown) => boolean;
}

/**
 * Reads, decides and writes; repeats all three while another write comes in between. Throws the last attempt's error,
 * and any other error at once.
 */
export async function retryWhenStale<T>(
  { attempts, isStale }: Retry,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (made === attempts || !isStale(error)) throw error;
    }
  }
}
