/** Runs with each file: files share their modules, so a spy that stays would be the next file's too. */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.restoreAllMocks();
});
