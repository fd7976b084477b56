import { z } from '@hono/zod-openapi';
import { type UserRow, users } from '../../schema/staffTables.ts';

/** A person of the staff for administrators (interface: Staff). */
export const userSchema = z
  .object({
    userId: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(users.role.enumValues),
    property: z.string().nullable(),
    portfolio: z.string().nullable(),
    active: z.boolean(),
  })
  .openapi('User');

export type UserView = z.infer<typeof userSchema>;

/** Converts a user for administrators. */
export function userView(row: UserRow): UserView {
  const { active, email, id, name, portfolio, propertyId, role } = row;
  return { userId: id, email, name, role, property: propertyId, portfolio, active };
}
