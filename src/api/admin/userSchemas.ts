import { z } from '@hono/zod-openapi';
import { email, identifier, name } from '../../http/fields.ts';
import { nextPage, pageFields } from '../../http/listFields.ts';
import { userSchema } from '../../records/staff/views.ts';
import { users } from '../../schema/staffTables.ts';

/** The body of `user/put`. */
export const userBody = z.object({
  email: email.openapi({ example: 'desk@hotel.com' }).describe('upper and lower case count alike'),
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
  active: z
    .boolean()
    .optional()
    .describe('`true` at first; `false` ends their sessions and keeps them out'),
});

/** The body of `user/end-sessions`. */
export const endSessionsBody = z.object({
  email: email.openapi({ example: 'desk@hotel.com' }).describe("the person's"),
});

/** The answer of `user/put` and `user/end-sessions`. */
export const userAnswer = z.object({ success: z.literal(true), user: userSchema });

/** The body of `user/list`. */
export const usersBody = z.object({
  property: identifier.optional().describe('only those who work for it'),
  portfolio: identifier.optional().describe('only those who work for it'),
  ...pageFields,
});

/** The answer of `user/list`. */
export const usersAnswer = z.object({
  success: z.literal(true),
  users: z.array(userSchema),
  nextCursor: nextPage,
});
