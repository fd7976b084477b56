import { inject } from 'vitest';

/** The seed of what the tests draw: the same in each run, unless `SEED` says another one. */
export const seed = inject('seed');
