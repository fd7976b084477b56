import { ok } from '../../core/result.ts';
import { changedBy } from '../../http/changedBy.ts';
import { cursorAfter, partOf } from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { endSessions, listUsers, putUser } from '../../records/staff/actions.ts';
import { userView } from '../../records/staff/views.ts';
import { endSessionsBody, userAnswer, userBody, usersAnswer, usersBody } from './userSchemas.ts';

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
      const put = await putUser(c.get('database'), body, changedBy(c));
      return put.ok ? ok({ success: true, user: userView(put.value) }) : put;
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/user/end-sessions',
      summary: 'End the sessions of a person of the staff',
      body: () => endSessionsBody,
      answer: userAnswer,
      problems: ['user_not_found'],
    },
    async ({ c, body }) => {
      const ended = await endSessions(c.get('database'), body.email, changedBy(c));
      return ended.ok ? ok({ success: true, user: userView(ended.value) }) : ended;
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
      const part = partOf('users', '', body);
      if (!part.ok) return part;
      const page = await listUsers(c.get('database'), body, part.value);
      const nextCursor = cursorAfter('users', '', page);
      return ok({ success: true, users: page.rows.map(userView), nextCursor });
    },
  );
}
