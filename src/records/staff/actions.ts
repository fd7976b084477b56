import { and, eq } from 'drizzle-orm';
import { v7 as timeOrderedUuid } from 'uuid';
import { type Failure, failure, fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import { type Page, type Part, pagesOf } from '../../platform/db/page.ts';
import { retryWhenStale } from '../../platform/db/retryWhenStale.ts';
import { type UserRow, users } from '../../schema/staffTables.ts';
import { appendChange, type ChangedBy, placeOfChange } from '../audit/changes.ts';
import { propertyNotFound } from '../properties/rules.ts';
import { selectProperty } from '../properties/store.ts';
import { deletePasskeysOf } from './passkeyStore.ts';
import type { Role } from './rules.ts';
import { endSessionsOf } from './sessionStore.ts';
import { insertUser, selectUserByEmail, updateUser, voidLinks, wasOvertaken } from './store.ts';
import { userView } from './views.ts';

/** A person to create or change: the one with the e-mail address. */
export interface UserPut {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly property?: string | undefined;
  readonly portfolio?: string | undefined;
  readonly active?: boolean | undefined;
}

type RolePlace = Pick<UserRow, 'propertyId' | 'portfolio'>;

/**
 * Creates a user, or changes the one with this e-mail address (interface: Staff). A new `property` or `portfolio` goes
 * before both earlier ones; what is left out stays. Switching someone off ends their sessions for good.
 */
export async function putUser(
  database: Database,
  put: UserPut,
  by: ChangedBy,
): Promise<Result<UserRow, Failure>> {
  return onCurrentUser(async () => {
    const [[[known]], [[property]]] = await database.ofBoth(
      'd1.user.find',
      [selectUserByEmail(put.email)],
      put.property ?? '',
      [selectProperty(put.property ?? '')],
    );
    const place = placeOf(put, known);
    if (!place.ok) return place;
    if (put.property !== undefined && !property) return err(propertyNotFound());
    const active = put.active ?? known?.active ?? true;
    const change = { name: put.name, role: put.role, ...place.value, active };
    const row = known ? changedUser(known, change, by) : { ...newUser(put.email, by), ...change };
    const endsSessions = known?.active === true && !active;
    await save(database, { before: known ?? null, row, endsSessions }, by);
    return ok(row);
  });
}

/** Ends all sessions of a person for good, and the links and passkeys that would begin another one. */
export async function endSessions(
  database: Database,
  email: string,
  by: ChangedBy,
): Promise<Result<UserRow, Failure>> {
  return onCurrentUser(async () => {
    const [[known]] = await database.directory.batch('d1.user.find', [selectUserByEmail(email)]);
    if (!known) return err(failure('user_not_found', 'There is no such person.'));
    const row = changedUser(known, {}, by);
    await save(database, { before: known, row, endsSessions: true }, by);
    return ok(row);
  });
}

/** The attempts to save a change while other changes of the same person come in between. */
const MOST_DECISIONS = 5;

function onCurrentUser<T>(decide: () => Promise<T>): Promise<T> {
  return retryWhenStale({ attempts: MOST_DECISIONS, isStale: wasOvertaken }, decide);
}

function newUser(email: string, { nowMs }: ChangedBy) {
  return {
    id: timeOrderedUuid(),
    email: email.toLowerCase(),
    seeded: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

function changedUser(known: UserRow, change: Partial<UserRow>, { nowMs }: ChangedBy): UserRow {
  const updatedAtMs = Math.max(nowMs, known.updatedAtMs + 1);
  return { ...known, ...change, updatedAtMs };
}

interface PersonChange {
  readonly before: UserRow | null;
  readonly row: UserRow;
  readonly endsSessions: boolean;
}

/** Saves a person as decided on how they were before, with what the audit trail says of it. */
async function save(
  database: Database,
  { before, row, endsSessions }: PersonChange,
  by: ChangedBy,
): Promise<void> {
  const places = [before ?? row, row].map(placeOfChange);
  const subject = `user ${row.email}`;
  await database.directory.batch('d1.user.save', [
    before ? updateUser(before, row) : insertUser(row),
    ...(endsSessions ? endSignIns(row.id, by.nowMs) : []),
    ...appendChange(by, {
      places,
      subject,
      before: before && settingsOf(before),
      after: { ...settingsOf(row), ...(endsSessions && { sessions: 'ended' }) },
    }),
  ]);
}

function endSignIns(userId: string, nowMs: number): Statement[] {
  return [voidLinks(userId, nowMs), endSessionsOf(userId, nowMs), deletePasskeysOf(userId)];
}

/** What the audit trail has of a person. */
function settingsOf(row: UserRow) {
  const { email: _subject, userId: _id, ...settings } = userView(row);
  return settings;
}

/** Ids grow with time. */
const pages = pagesOf(users, 'descending', ['id']);

/** Lists users, newest first. One round trip. */
export function listUsers(
  database: Database,
  { portfolio, property }: Pick<UserPut, 'portfolio' | 'property'>,
  part: Part,
): Promise<Page<UserRow>> {
  const which = and(
    property === undefined ? undefined : eq(users.propertyId, property),
    portfolio === undefined ? undefined : eq(users.portfolio, portfolio),
  );
  return pages.read(database.directory, 'd1.user.find', which, part);
}

/** Where a person's role counts. Only an admin's may count everywhere. */
function placeOf(
  { portfolio, property, role }: UserPut,
  known: RolePlace | undefined,
): Result<RolePlace, Failure> {
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
