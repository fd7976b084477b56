import { defineConfig } from 'vitest/config';

/** The rules' tests by themselves, for `npm run mutate`: it runs them thousands of times, and needs no Worker. */
export default defineConfig({ test: { include: ['test/rules/**/*.test.ts'] } });
