import { ok } from '../../core/result.ts';
import { createExportUser, listRuns, startRuns } from '../../exports/actions.ts';
import { notifyExporter } from '../../exports/stub.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { secretWork } from '../../http/secretWork.ts';
import { withSuccess } from '../../http/withSuccess.ts';
import { listAnswer, listBody, runAnswer, runBody, userAnswer, userBody } from './schemas.ts';

/** The portfolio of properties and export users without one of their own (exports: Two files a day). */
const DEFAULT_PORTFOLIO = 'default';

/** The administrator's operations on exports (interface: Administration). */
export function registerExports(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/export/run',
      summary: 'Make an export file now. It becomes the file of its day',
      body: () => runBody,
      answer: runAnswer,
    },
    async ({ c, body }) => {
      const { variant, portfolio = DEFAULT_PORTFOLIO } = body;
      const run = { portfolio, variant, cause: 'admin' } as const;
      const [runId = ''] = await startRuns(c.get('database'), [run], Date.now());
      // Wait for this, so that the next `export/list` already shows the run as running.
      await notifyExporter(c.env, c.get('trace'), runId);
      return ok({ success: true, runId });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/export/list',
      summary: 'List export runs with their progress, newest first',
      body: () => listBody,
      answer: listAnswer,
    },
    async ({ c, body }) => {
      const { limit = 100, cursor: beforeId, ...filter } = body;
      const page = await listRuns(c.get('database'), { ...filter, beforeId }, limit);
      return ok({ success: true, ...page });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/export-user/create',
      summary:
        'Create an export user. Shows the password once, or again under the same idempotency key',
      body: () => userBody,
      answer: userAnswer,
      problems: ['invalid_state', 'idempotency_key_reused'],
      idempotent: 'create-export-user',
    },
    async (request) => {
      const { username, portfolio = DEFAULT_PORTFOLIO } = request.body;
      return withSuccess(await createExportUser(secretWork(request), { username, portfolio }));
    },
  );
}
