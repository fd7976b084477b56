import { defineConfig } from 'vitest/config';

/**
 * The rules' tests by themselves, for `npm run mutate`: it runs them thousands of times, and needs no Worker. Their time
 * is long because the machine is busy with two of them: a test that runs out of it would count as one that noticed.
 */
export default defineConfig({
  test: {
    include: ['test/rules/**/*.test.ts'],
    // It reads the sentences of the source, which the mutations change.
    exclude: ['test/rules/refusals.test.ts'],
    testTimeout: 30_000,
    provide: { long: true, loud: false, seed: 20_261_123, sample: false },
  },
});
