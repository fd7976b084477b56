import { defineConfig } from 'vitest/config';

/** The rules' tests by themselves, for `npm run mutate`. */
export default defineConfig({
  test: {
    include: ['test/rules/**/*.test.ts'],
    // It reads the sentences of the source, which the changes are in.
    exclude: ['test/rules/refusals.test.ts'],
    setupFiles: ['test/support/everyFile.ts'],
    runner: 'test/rules/mutation/runner.ts',
    // A file's tests are played thousands of times, in the process that has read the source.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 10_000,
    dangerouslyIgnoreUnhandledErrors: true,
    provide: { long: false, loud: false, seed: 20_261_123, sample: false },
  },
});
