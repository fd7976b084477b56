import { ok } from '../../core/result.ts';
import { listRuns, startRuns } from '../../exports/actions.ts';
import { notifyExporter } from '../../exports/stub.ts';
import { runView } from '../../exports/views.ts';
import { cursorAfter, partOf } from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { DEFAULT_PORTFOLIO, listAnswer, listBody, runAnswer, runBody } from './schemas.ts';

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
      const part = partOf('exports', '', body);
      if (!part.ok) return part;
      const page = await listRuns(c.get('database'), body, part.value);
      const nextCursor = cursorAfter('exports', '', page);
      return ok({ success: true, runs: page.rows.map(runView), nextCursor });
    },
  );
}
