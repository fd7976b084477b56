import { parse } from 'bowser';
import { MINUTE_MS } from '../../core/time.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { SessionRow, UserRow } from '../../schema/staffTables.ts';

export type Role = UserRow['role'];

/** Someone of the staff who is signed in. */
export type Person = Pick<
  UserRow,
  | 'id'
  | 'email'
  | 'name'
  | 'language'
  | 'role'
  | 'propertyId'
  | 'portfolio'
  | 'refundLimitMinor'
  | 'refundLimitCurrency'
> & {
  /** Whether it is an administrator's client, which signed in by its secret: it has no sign-in of a person. */
  readonly isClient?: true;
};

/** Whether somebody administers the service: everywhere, and not only one hotel or portfolio. */
export function isOperator({ portfolio, propertyId, role }: Person): boolean {
  return role === 'admin' && propertyId === null && portfolio === null;
}

/** What roles allow; each of them may do what those before it may (interface: Staff). */
const rights = {
  viewer: ['see'],
  cashier: ['charge', 'refund', 'sendLinks'],
  manager: [
    'schedule',
    'hold',
    'cancelSchedules',
    'cancelBookings',
    'seeReports',
    'resolve',
    'acceptDifferences',
    'answerDisputes',
  ],
  admin: ['manageStaff'],
} as const satisfies Record<RankedRole, readonly string[]>;

/** The roles of which each may do more than the one before. */
type RankedRole = Exclude<Role, 'accountant'>;

const roles: readonly RankedRole[] = ['viewer', 'cashier', 'manager', 'admin'];

export type Right = (typeof rights)[RankedRole][number];

/** Who does the books reads what managers read, and moves no money. */
const ACCOUNTANTS: readonly Right[] = ['see', 'seeReports'];

export function hasRight(role: Role, right: Right): boolean {
  if (role === 'accountant') return ACCOUNTANTS.includes(right);
  return roles
    .slice(0, roles.indexOf(role) + 1)
    .some((one) => (rights[one] as readonly Right[]).includes(right));
}

/** Whether a person works for a property. To anyone else it does not exist. */
export function reaches(
  { propertyId, portfolio }: Pick<Person, 'propertyId' | 'portfolio'>,
  property: Pick<PropertyRow, 'id' | 'portfolio'>,
): boolean {
  if (propertyId !== null) return propertyId === property.id;
  return portfolio === null || portfolio === property.portfolio;
}

/** The first role, of those of which each may do more than the one before, that has a right. */
export function leastRole(right: Right): Role {
  return roles.find((one) => hasRight(one, right)) ?? 'admin';
}

/** How long a session of somebody with a passkey is open without use: then one touch begins another. */
const LOCK_MS = 30 * MINUTE_MS;

/** Whether a session waits for its person's passkey. Who has none would need a mail each time, and keeps it. */
export function isLocked(
  { seenAtMs }: Pick<SessionRow, 'seenAtMs'>,
  hasPasskey: boolean,
  nowMs: number,
): boolean {
  return hasPasskey && nowMs - seenAtMs >= LOCK_MS;
}

/** Whether a user may sign in: active, and outside local mode not seeded. */
export function maySignIn({ active, seeded }: Pick<UserRow, 'active' | 'seeded'>, local: boolean) {
  return active && (local || !seeded);
}

/** The browser of a User-Agent and its system, as people call them: `Chrome on Windows`. */
export function deviceNamed(userAgent: string): string {
  if (userAgent === '') return 'Unknown device';
  const { browser, os } = parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(' on ') || 'Unknown device';
}
