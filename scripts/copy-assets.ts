/** Wrangler runs this before every start and deployment. */
import { copyAssets } from './assets.ts';

copyAssets();
