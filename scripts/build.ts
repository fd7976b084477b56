/** Wrangler runs this before every start and deployment. */
import { buildFiles } from './buildFiles.ts';

await buildFiles();
