import { v7 as timeOrderedUuid } from 'uuid';
import { type Failure, fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import type { UserRow } from '../../platform/db/staffTables.ts';
import { propertyNotFound } from '../properties/rules.ts';
import { selectProperty } from '../properties/store.ts';
import type { Role } from './rules.ts';
import { selectUserByEmail, selectUsers, type UserFilter, upsertUser } from './store.ts';

/** A person to create or change: the one with the e-mail address. */
export interface UserPut {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly property?: string | undefined;
  readonly portfolio?: string | undefined;
  readonly active?: boolean | undefined;
}

type Place = Pick<UserRow, 'propertyId' | 'portfolio'>;

/**
 * Creates a user, or changes the one with this e-mail address (interface: Staff). A new `property` or `portfolio` goes
 * before both earlier ones; what is left out stays.
 */
export async function putUser(
  database: Database,
  put: UserPut,
  nowMs: number,
): Promise<Result<UserRow, Failure>> {
  const { queries } = database;
  const [[known], [property]] = await database.batch('d1.user.find', [
    selectUserByEmail(queries, put.email),
    selectProperty(queries, put.property ?? ''),
  ]);
  const place = placeOf(put, known);
  if (!place.ok) return place;
  if (put.property !== undefined && !property) {
    return err(propertyNotFound());
  }
  const row: UserRow = {
    id: known?.id ?? timeOrderedUuid(),
    email: put.email.toLowerCase(),
    name: put.name,
    role: put.role,
    ...place.value,
    active: put.active ?? known?.active ?? true,
    seeded: false,
    createdAtMs: known?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
  };
  const [[saved]] = await database.batch('d1.user.save', [upsertUser(queries, row)]);
  return ok(saved ?? row);
}

/** A page of users, newest first, and the id to continue before; null on the last page. */
export async function listUsers(
  database: Database,
  filter: UserFilter,
  limit: number,
): Promise<{ readonly users: readonly UserRow[]; readonly nextCursor: string | null }> {
  const [rows] = await database.batch('d1.user.find', [
    selectUsers(database.queries, filter, limit + 1),
  ]);
  const users = rows.slice(0, limit);
  return { users, nextCursor: rows.length > limit ? (users.at(-1)?.id ?? null) : null };
}

/** Where a person's role counts. Only an admin's may count everywhere. */
function placeOf(
  { portfolio, property, role }: UserPut,
  known: Place | undefined,
): Result<Place, Failure> {
  if (property !== undefined && portfolio !== undefined) {
    return err(placeFailure('portfolio', 'Name a property or a portfolio, not both.'));
  }
  if (property !== undefined) return ok({ propertyId: property, portfolio: null });
  if (portfolio !== undefined) return ok({ propertyId: null, portfolio });
  const { propertyId = null, portfolio: before = null } = known ?? {};
  if (role !== 'admin' && propertyId === null && before === null) {
    return err(placeFailure('property', 'Name the property or the portfolio of this role.'));
  }
  return ok({ propertyId, portfolio: before });
}

function placeFailure(field: string, message: string): Failure {
  return fieldFailure([{ field, code: 'invalid_value', message }]);
}
