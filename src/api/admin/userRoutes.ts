import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { email, flag, identifier, name, rawCost } from '../../http/fields.ts';
import { adminList } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { endSessions, listUsers, putUser } from '../../records/staff/actions.ts';
import { userSchema, userView } from '../../records/staff/views.ts';
import { users } from '../../schema/staffTables.ts';
import { changedBy } from '../calls.ts';

const userEmail = email.openapi({ example: 'desk@hotel.com' });

/** The administrator's operations on people of the staff (interface: Staff). */
export function registerUsers(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/user/put',
    summary: 'Create or change a person of the staff',
    body: z.object({
      email: userEmail.describe('upper and lower case count alike'),
      name: name(100)
        .openapi({ example: 'Kim Lee' })
        .describe('as the console and the audit trail show it'),
      role: z.enum(users.role.enumValues).describe('what they may do: see Staff'),
      property: identifier
        .optional()
        .describe('the one property where the role counts; an `admin` needs none'),
      portfolio: identifier
        .optional()
        .describe('in place of `property`: all properties of a portfolio'),
      active: flag('`true` at first; `false` ends their sessions and keeps them out'),
      refundLimit: rawCost
        .nullish()
        .describe('of a cashier, in place of that of `property`; `null`, none, at first'),
    }),
    answer: { user: userSchema },
    problems: ['property_not_found'],
    handle: async ({ c, body }) => {
      const put = await putUser(c.get('database'), body, changedBy(c));
      return andThen(put, (user) => ok({ user: userView(user) }));
    },
  });

  adminOperation(api, {
    path: '/admin/v1/user/end-sessions',
    summary: 'End the sessions of a person of the staff',
    body: z.object({ email: userEmail.describe("the person's") }),
    answer: { user: userSchema },
    problems: ['user_not_found'],
    handle: async ({ c, body }) => {
      const ended = await endSessions(c.get('database'), body.email, changedBy(c));
      return andThen(ended, (user) => ok({ user: userView(user) }));
    },
  });

  adminList(api, {
    path: '/admin/v1/user/list',
    summary: 'List the people of the staff, newest first',
    list: 'users',
    filter: {
      property: identifier.optional().describe('only those who work for it'),
      portfolio: identifier.optional().describe('only those who work for it'),
    },
    member: 'users',
    entries: z.array(userSchema),
    problems: ['property_not_found'],
    read: ({ c, body }, part) => listUsers(c.get('database'), body, part),
  });
}
