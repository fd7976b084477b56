/** Wrangler runs this before every start and deployment. */
import { copyAssets } from './assets.ts';
import { bundleWorker } from './bundleWorker.ts';
import { trimLibraries } from './trimLibraries.ts';

await Promise.all([copyAssets(), trimLibraries(), bundleWorker()]);
