/** What wrangler runs before every start and deployment. */
import { copyAssets } from './assets.ts';

copyAssets();
