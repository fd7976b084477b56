/** Properties draw the same in each run, so that a test fails only for a reason in the code. `SEED=n` draws others. */
import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { seed } from './seed.ts';

configureGlobal({ ...readConfigureGlobal(), seed });
