/** The OpenAPI document and the columns of the exports, as the code makes them in this process: no service is started. */
import { importBundled } from '../importBundled.ts';

const { makeDocument } = await importBundled<typeof import('../document/document.ts')>(
  'scripts/document/document.ts',
);

export const { bigQuerySchema } = await importBundled<
  typeof import('../../src/exports/rules/bigQuery.ts')
>('src/exports/rules/bigQuery.ts');

export const document = makeDocument();
