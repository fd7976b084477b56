/** Runs with each file of the Worker's tests: files share a runtime, and each begins with the seeded database alone. */
import { beforeAll } from 'vitest';
import { freshDatabase } from './api.ts';

beforeAll(freshDatabase);
