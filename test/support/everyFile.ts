/** Runs with each file of tests. */
import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { afterAll, vi } from 'vitest';
import { seed } from './seed.ts';

// Properties draw the same in each run, so that a test fails only for a reason in the code. `SEED=n` draws others.
configureGlobal({ ...readConfigureGlobal(), seed });

// Files share their modules, so a spy that stays would be the next file's too.
afterAll(() => {
  vi.restoreAllMocks();
});
