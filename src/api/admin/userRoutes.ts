import { ok } from '../../core/result.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { listUsers, putUser } from '../../records/staff/actions.ts';
import { userView } from '../../records/staff/views.ts';
import { userAnswer, userBody, usersAnswer, usersBody } from './userSchemas.ts';

/** The administrator's operations on people of the staff (interface: Staff). */
export function registerUsers(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/user/put',
      summary: 'Create or change a person of the staff',
      body: () => userBody,
      answer: userAnswer,
      problems: ['property_not_found'],
    },
    async ({ c, body }) => {
      const put = await putUser(c.get('database'), body, Date.now());
      return put.ok ? ok({ success: true, user: userView(put.value) }) : put;
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/user/list',
      summary: 'List the people of the staff, newest first',
      body: () => usersBody,
      answer: usersAnswer,
    },
    async ({ c, body }) => {
      const { limit = 100, cursor: beforeId, ...filter } = body;
      const page = await listUsers(c.get('database'), { ...filter, beforeId }, limit);
      return ok({ success: true, users: page.users.map(userView), nextCursor: page.nextCursor });
    },
  );
}
