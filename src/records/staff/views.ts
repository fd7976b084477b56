import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { named } from '../../platform/views.ts';
import { type UserRow, users } from '../../schema/staffTables.ts';

/** A person of the staff for administrators (interface: Staff). */
export const userSchema = named('User', {
  userId: z.string().describe('the `actor` of the audit trail'),
  email: z.string().describe('where sign-in links go'),
  name: z.string().describe('as the console and the audit trail show it'),
  role: z.enum(users.role.enumValues).describe('what they may do: see Staff'),
  property: z.string().nullable().describe('the one property where the role counts'),
  portfolio: z.string().nullable().describe('all its properties'),
  active: z.boolean().describe('whether they can sign in'),
  refundLimit: z
    .number()
    .nullable()
    .describe("what they, as a cashier, refund of a booking in a day; null: the property's limit"),
});

export type UserView = z.infer<typeof userSchema>;

export function userView(row: UserRow): UserView {
  const { active, email, id, name, portfolio, propertyId, refundLimitMinor, role } = row;
  const refundLimit =
    refundLimitMinor === null
      ? null
      : storedDecimal(refundLimitMinor, row.refundLimitCurrency ?? '');
  return { userId: id, email, name, role, property: propertyId, portfolio, active, refundLimit };
}
