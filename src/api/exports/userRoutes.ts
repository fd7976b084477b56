import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { createExportUser, listExportUsers, revokeUser } from '../../exports/actions.ts';
import { changedBy } from '../../http/changedBy.ts';
import { cursorAfter, EVERY_PROPERTY, partOf } from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { secretWork } from '../../http/secretWork.ts';
import { withSuccess } from '../../http/withSuccess.ts';
import {
  DEFAULT_PORTFOLIO,
  revokeBody,
  userAnswer,
  userBody,
  usersAnswer,
  usersBody,
} from './schemas.ts';

/** The administrator's operations on export users (interface: Administration). */
export function registerExportUsers(api: Api): void {
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

  adminOperation(
    api,
    {
      path: '/admin/v1/export-user/list',
      summary: 'List export users, newest first',
      body: () => usersBody,
      answer: usersAnswer,
    },
    async ({ c, body }) => {
      const part = partOf('exportUsers', EVERY_PROPERTY, body);
      if (!part.ok) return part;
      const page = await listExportUsers(c.get('database'), body, part.value);
      const nextCursor = cursorAfter('exportUsers', EVERY_PROPERTY, page);
      return ok({ success: true, exportUsers: page.exportUsers, nextCursor });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/export-user/revoke',
      summary: 'Revoke an export user',
      body: () => revokeBody,
      answer: z.object({ success: z.literal(true) }),
      problems: ['user_not_found'],
    },
    async ({ c, body }) => {
      const revoked = await revokeUser(c.get('database'), body.username, changedBy(c));
      return revoked.ok ? ok({ success: true }) : revoked;
    },
  );
}
