import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { ok, type Result, refuse } from '../core/result.ts';
import { type Database, queries } from '../platform/db/database.ts';
import type { ChangedBy } from '../records/audit/changes.ts';
import { changeProperty } from '../records/properties/changeProperty.ts';
import { propertyView } from '../records/properties/views.ts';
import { endSessions, putUser } from '../records/staff/actions.ts';
import type { Person, Role } from '../records/staff/rules.ts';
import { selectUserByEmail } from '../records/staff/store.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { type UserRow, users } from '../schema/staffTables.ts';
import { allowed } from './rights.ts';
import { words } from './words.ts';

/** How many people a page lists. */
const MOST_LISTED = 200;

/** Someone who may see a property, with when they were there last and how many sessions they have open. */
export type Colleague = Awaited<ReturnType<typeof readColleagues>>[number];

/** Reads who may see a property, by name. One round trip. */
export async function readColleagues(
  database: Database,
  { id, portfolio }: Pick<PropertyRow, 'id' | 'portfolio'>,
  nowMs: number,
) {
  const [rows] = await database.directory.batch('d1.staff.read', [
    queries
      .select({
        ...pick(users, 'id', 'email', 'name', 'role', 'propertyId', 'active'),
        ...pick(users, 'refundLimitMinor', 'refundLimitCurrency'),
        seenAtMs: sql<
          number | null
        >`(SELECT max(seen_at_ms) FROM staff_sessions WHERE user_id = users.id)`.as('seen'),
        sessions:
          sql<number>`(SELECT count(*) FROM staff_sessions WHERE user_id = users.id AND ended_at_ms IS NULL AND until_ms > ${nowMs})`.as(
            'open_sessions',
          ),
      })
      .from(users)
      .where(
        or(
          eq(users.propertyId, id),
          eq(users.portfolio, portfolio),
          and(isNull(users.propertyId), isNull(users.portfolio)),
        ),
      )
      .orderBy(asc(users.name), asc(users.id))
      .limit(MOST_LISTED),
  ]);
  return rows;
}

/** Who changes the staff of which property. */
export interface StaffWork {
  readonly database: Database;
  readonly person: Person;
  readonly property: PropertyRow;
  readonly nowMs: number;
}

/** Someone to add to a property's staff, or to change there. */
export interface StaffPut {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly active: boolean;
  /** A decimal amount; null for the property's own limit, undefined leaves it as it is. */
  readonly refundLimit: number | null | undefined;
}

/** Adds someone to a property's staff. Fails with `invalid_state` for who is there already, switched off or not. */
export async function addColleague(work: StaffWork, put: StaffPut): Promise<Result<UserRow>> {
  const known = await colleague(work, put.email);
  if (!known.ok) return known;
  if (known.value) return refuse('invalid_state', words.staff.known({ name: known.value.name }));
  return putUser(work.database, { ...put, property: work.property.id }, changedBy(work));
}

/** Changes the name, role or limit of someone of a property's staff, or switches them off. */
export async function putColleague(work: StaffWork, put: StaffPut): Promise<Result<UserRow>> {
  const known = await colleague(work, put.email);
  if (!known.ok) return known;
  return putUser(work.database, { ...put, property: work.property.id }, changedBy(work));
}

/**
 * Sets what the property's cashiers refund of a booking in a day, in minor units; null for nothing. Answers the property as it
 * is then.
 */
export async function limitRefunds(
  work: StaffWork,
  minor: number | null,
): Promise<Result<PropertyRow>> {
  const may = allowed(work.person, 'manageStaff');
  if (!may.ok) return may;
  const audited = { subject: 'property', view: propertyView };
  return changeProperty(work.database, work.property.id, changedBy(work), audited, (before) =>
    ok({ ...before, refundLimitMinor: minor }),
  );
}

/** Ends all sessions of someone of a property's staff. */
export async function endColleague(work: StaffWork, email: string): Promise<Result<UserRow>> {
  const known = await colleague(work, email);
  return known.ok ? endSessions(work.database, email, changedBy(work)) : known;
}

/** Somebody whom a person may change, or add where there is nobody yet: null. Who works elsewhere is changed there. */
async function colleague(
  { database, person, property }: StaffWork,
  email: string,
): Promise<Result<UserRow | null>> {
  const may = allowed(person, 'manageStaff');
  if (!may.ok) return may;
  const [[known]] = await database.directory.batch('d1.user.find', [selectUserByEmail(email)]);
  if (known?.id === person.id) return refuse('invalid_state', words.staff.ownRole);
  return known && known.propertyId !== property.id
    ? refuse('invalid_state', words.staff.worksElsewhere)
    : ok(known ?? null);
}

function changedBy({ nowMs, person }: StaffWork): ChangedBy {
  return { clientId: person.id, name: person.name, nowMs };
}
