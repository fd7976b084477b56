/** Wrangler runs this before every start and deployment. */
import { copyAssets } from './assets.ts';
import { trimLibraries } from './trimLibraries.ts';

copyAssets();
await trimLibraries();
