import { ok } from '../core/result.ts';
import { type Api, adminOperation } from '../http/operation.ts';
import { createExportUser, listRuns, startRuns } from './actions.ts';
import { listAnswer, listBody, runAnswer, runBody, userAnswer, userBody } from './schemas.ts';
import { pokeExporter } from './stub.ts';

/** The portfolio that properties and export users belong to unless they say otherwise (decisions: section 1). */
const DEFAULT_PORTFOLIO = 'default';

/** The administrator's operations on exports (decisions: section 13). */
export function registerExports(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/export/run',
      summary: 'Make an export file now; it becomes the file of its day',
      body: () => runBody,
      answer: runAnswer,
    },
    async ({ c, body }) => {
      const { variant, portfolio = DEFAULT_PORTFOLIO } = body;
      const wanted = { portfolio, variant, cause: 'admin' } as const;
      const [runId = ''] = await startRuns(c.get('database'), [wanted], Date.now());
      // Awaited, so that a caller who asks how far it is finds it at work.
      await pokeExporter(c.env, c.get('crossings'), runId);
      return ok({ success: true, runId });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/export/list',
      summary: 'Runs of exports, newest first, with how far they are',
      body: () => listBody,
      answer: listAnswer,
    },
    async ({ c, body }) => {
      const { limit = 100, cursor: beforeId, ...of } = body;
      const page = await listRuns(c.get('database'), { ...of, beforeId }, limit);
      return ok({ success: true, ...page });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/export-user/create',
      summary: 'Make a user who may fetch exports; the password is shown once',
      body: () => userBody,
      answer: userAnswer,
      problems: ['invalid_state'],
    },
    async ({ c, body }) => {
      const { username, portfolio = DEFAULT_PORTFOLIO } = body;
      const user = { username, portfolio };
      const created = await createExportUser(c.get('database'), user, Date.now());
      return created.ok ? ok({ success: true, ...created.value }) : created;
    },
  );
}
