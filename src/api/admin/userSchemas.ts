import { z } from '@hono/zod-openapi';
import { email, identifier, name } from '../../http/fields.ts';
import { pageFields } from '../../http/listFields.ts';
import { userSchema } from '../../records/staff/views.ts';
import { users } from '../../schema/staffTables.ts';

/** The body of `user/put`. */
export const userBody = z.object({
  email: email.openapi({ example: 'desk@hotel.com' }),
  name: name(100).openapi({ example: 'Kim Lee' }),
  role: z.enum(users.role.enumValues),
  property: identifier.optional(),
  portfolio: identifier.optional(),
  active: z.boolean().optional(),
});

/** The body of `user/end-sessions`. */
export const endSessionsBody = z.object({
  email: email.openapi({ example: 'desk@hotel.com' }),
});

/** The answer of `user/put` and `user/end-sessions`. */
export const userAnswer = z.object({ success: z.literal(true), user: userSchema });

/** The body of `user/list`. */
export const usersBody = z.object({
  property: identifier.optional(),
  portfolio: identifier.optional(),
  ...pageFields,
});

/** The answer of `user/list`. */
export const usersAnswer = z.object({
  success: z.literal(true),
  users: z.array(userSchema),
  nextCursor: z.string().nullable(),
});
