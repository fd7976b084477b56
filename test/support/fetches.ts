/** Requests to elsewhere, which players of receivers answer one behind the other. */
import { vi } from 'vitest';

/** What a request to elsewhere meets now; of one that is played already, the player. The next one passes on to it. */
export function fetchNow(): typeof fetch {
  const now = globalThis.fetch;
  return (vi.isMockFunction(now) && now.getMockImplementation()) || now;
}
