import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { MINUTE_MS } from '../../core/time.ts';
import {
  createExportUser,
  listExportUsers,
  listRuns,
  revokeUser,
  startRuns,
} from '../../exports/actions.ts';
import { notifyExporter } from '../../exports/stub.ts';
import { exportUserSchema, runSchema, variantSchema } from '../../exports/views.ts';
import { CARD_NUMBER, identifier, isNoCardIdentifier } from '../../http/fields.ts';
import { adminList } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { PropertyMoving } from '../../platform/db/errors.ts';
import { changedBy, secretWork } from '../calls.ts';

/** The portfolio of properties and export users without one of their own (exports: Three files a day). */
const DEFAULT_PORTFOLIO = 'default';

/** The administrator's operations on exports (interface: Administration). */
export function registerExports(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/export/run',
    summary: 'Make an export file now. It becomes the file of its day',
    body: z.object({
      portfolio: identifier.optional().describe('`default` when left out'),
      variant: variantSchema.describe('which of the files'),
    }),
    answer: { runId: z.string().describe('as in the list of runs') },
    handle: async ({ c, body }) => {
      const { variant, portfolio = DEFAULT_PORTFOLIO } = body;
      const run = { portfolio, variant, cause: 'admin' } as const;
      const [runId] = await startRuns(c.get('database'), [run], Date.now());
      if (runId === undefined) throw new PropertyMoving(MINUTE_MS);
      // Wait for this, so that the next `export/list` already shows the run as running.
      await notifyExporter(c.env, c.get('trace'), runId);
      return ok({ runId });
    },
  });

  adminList(api, {
    path: '/admin/v1/export/list',
    summary: 'List export runs with their progress, newest first',
    list: 'exports',
    filter: {
      portfolio: identifier.optional().describe('only its runs'),
      variant: variantSchema.optional().describe("only this file's"),
    },
    member: 'runs',
    entries: z.array(runSchema),
    read: ({ c, body }, part) => listRuns(c.get('database'), body, part),
  });
}

/** HTTP Basic allows no colon in a user name. */
const username = z
  .string()
  .regex(
    /^[\x21-\x39\x3b-\x7e]{1,100}$/,
    'Use 1 to 100 ASCII characters without spaces and colons.',
  )
  .refine(isNoCardIdentifier, CARD_NUMBER)
  .openapi({ example: 'warehouse' });

/** The administrator's operations on export users (interface: Administration). */
export function registerExportUsers(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/export-user/create',
    summary:
      'Create an export user. Shows the password once, or again under the same idempotency key',
    body: z.object({
      portfolio: identifier
        .optional()
        .describe('whose files they may fetch; `default` when left out'),
      username,
    }),
    answer: {
      username: z.string().describe('for HTTP Basic'),
      password: z.string().describe('in this answer only'),
    },
    problems: ['invalid_state', 'idempotency_key_reused'],
    idempotent: 'create-export-user',
    handle: (request) => {
      const { portfolio = DEFAULT_PORTFOLIO, ...user } = request.body;
      return createExportUser(secretWork(request), { ...user, portfolio });
    },
  });

  adminList(api, {
    path: '/admin/v1/export-user/list',
    summary: 'List export users, newest first',
    list: 'exportUsers',
    filter: { portfolio: identifier.optional().describe('only its users') },
    member: 'exportUsers',
    entries: z.array(exportUserSchema),
    read: ({ c, body }, part) => listExportUsers(c.get('database'), body, part),
  });

  adminOperation(api, {
    path: '/admin/v1/export-user/revoke',
    summary: 'Revoke an export user',
    body: z.object({ username }),
    answer: {},
    problems: ['user_not_found'],
    handle: ({ c, body }) => revokeUser(c.get('database'), body.username, changedBy(c)),
  });
}
