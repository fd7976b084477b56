import { and, eq } from 'drizzle-orm';
import { v7 as timeOrderedUuid } from 'uuid';
import { type Failure, fieldFailure } from '../../core/failure.ts';
import { exponentOf, toMinor } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import { err, ok, type Result, refuse } from '../../core/result.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import { type Page, type Part, pagesOf, shownPage } from '../../platform/db/page.ts';
import { retryWhenStale } from '../../platform/db/retryWhenStale.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import {
  type PasskeyRow,
  type StaffLanguage,
  type UserRow,
  users,
} from '../../schema/staffTables.ts';
import { appendChange, type ChangedBy, placeOfChange } from '../audit/changes.ts';
import { readProperty } from '../properties/read.ts';
import { propertyNotFound } from '../properties/rules.ts';
import { selectProperty } from '../properties/store.ts';
import { deletePasskey, deletePasskeysOf, insertPasskey, selectPasskeys } from './passkeyStore.ts';
import type { Role } from './rules.ts';
import { endSessionsOf } from './sessionStore.ts';
import {
  insertUser,
  selectUser,
  selectUserByEmail,
  updateUser,
  voidLinks,
  wasOvertaken,
} from './store.ts';
import { type UserView, userView } from './views.ts';

/** A person to create or change: the one with the e-mail address. */
export interface UserPut {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly property?: string | undefined;
  readonly portfolio?: string | undefined;
  readonly active?: boolean | undefined;
  /** In the currency of `property`; null for the property's own limit. */
  readonly refundLimit?: number | string | null | undefined;
}

type RolePlace = Pick<UserRow, 'propertyId' | 'portfolio'>;

/**
 * Creates a user, or changes the one with this e-mail address (interface: Staff). A new `property` or `portfolio` goes
 * before both earlier ones; what is left out stays, but for a limit of another property. Switching someone off ends their sessions for good.
 */
export async function putUser(
  database: Database,
  put: UserPut,
  by: ChangedBy,
): Promise<Result<UserRow>> {
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
    const limit = limitOf(put, property, known);
    if (!limit.ok) return limit;
    const active = put.active ?? known?.active ?? true;
    const change = { name: put.name, role: put.role, ...place.value, ...limit.value, active };
    const row = known ? changedUser(known, change, by) : { ...newUser(put.email, by), ...change };
    await save(database, { before: known ?? null, row, signIns: switchedOff(known, row, by) }, by);
    return ok(row);
  });
}

/** Ends all sessions of a person for good, and the links and passkeys that would begin another one. */
export async function endSessions(
  database: Database,
  email: string,
  by: ChangedBy,
): Promise<Result<UserRow>> {
  return onCurrentUser(async () => {
    const [[known]] = await database.directory.batch('d1.user.find', [selectUserByEmail(email)]);
    if (!known) return refuse('user_not_found', 'There is no such person.');
    const row = changedUser(known, {}, by);
    await save(database, { before: known, row, signIns: ended(row.id, by) }, by);
    return ok(row);
  });
}

/** Keeps in which language a person reads the console. Two round trips. */
export async function chooseLanguage(
  database: Database,
  userId: string,
  language: StaffLanguage,
  nowMs: number,
): Promise<void> {
  await onCurrentUser(async () => {
    const [[user]] = await database.directory.batch('d1.user.find', [selectUser(userId)]);
    if (!user || user.language === language) return;
    const by = { clientId: user.id, name: user.name, nowMs };
    await save(database, { before: user, row: changedUser(user, { language }, by) }, by);
  });
}

/** A passkey that its person adds, or takes away. */
interface PasskeyChange {
  readonly passkey: PasskeyRow;
  readonly isNew: boolean;
}

/** Adds or removes a passkey, as decided on those that its person has; null changes nothing. Two round trips. */
export async function changePasskeys(
  database: Database,
  userId: string,
  nowMs: number,
  decide: (known: readonly PasskeyRow[]) => Result<PasskeyChange | null>,
): Promise<Result<null>> {
  return onCurrentUser(async () => {
    const [[user], known] = await database.directory.batch('d1.session.read', [
      selectUser(userId),
      selectPasskeys(userId),
    ]);
    const decided = decide(known);
    if (!decided.ok) return decided;
    if (!user || decided.value === null) return ok(null);
    const { isNew, passkey } = decided.value;
    const by = { clientId: user.id, name: user.name, nowMs };
    const [was, is] = isNew ? [{}, shownPasskey(passkey)] : [shownPasskey(passkey), {}];
    const statements = [isNew ? insertPasskey(passkey) : deletePasskey(passkey)];
    const row = changedUser(user, {}, by);
    await save(database, { before: user, row, signIns: { statements, was, is } }, by);
    return ok(null);
  });
}

/** What the audit trail has of a passkey. */
function shownPasskey({ device }: PasskeyRow) {
  return { passkey: device };
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
    language: null,
    seeded: false,
    ...NO_LIMIT,
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
  readonly signIns?: SignInChange | undefined;
}

/** What changes of how a person signs in, and what the audit trail says was and is there. */
interface SignInChange {
  readonly statements: readonly Statement[];
  readonly was: object;
  readonly is: object;
}

/** Saves a person as decided on how they were before, with what the audit trail says of it. */
async function save(
  database: Database,
  { before, row, signIns }: PersonChange,
  by: ChangedBy,
): Promise<void> {
  await database.directory.batch('d1.user.save', [
    before ? updateUser(before, row) : insertUser(row),
    ...(signIns?.statements ?? []),
    ...appendChange(by, {
      places: [before ?? row, row].map(placeOfChange),
      subject: `user ${row.email}`,
      before: before && { ...settingsOf(before), ...signIns?.was },
      after: { ...settingsOf(row), ...signIns?.is },
    }),
  ]);
}

/** What switching someone off ends. */
function switchedOff(known: UserRow | undefined, { active, id }: UserRow, by: ChangedBy) {
  return known?.active && !active ? ended(id, by) : undefined;
}

function ended(userId: string, { nowMs }: ChangedBy): SignInChange {
  const statements = [
    voidLinks(userId, nowMs),
    endSessionsOf(userId, nowMs),
    deletePasskeysOf(userId),
  ];
  return { statements, was: {}, is: { sessions: 'ended' } };
}

/** What the audit trail has of a person. */
function settingsOf(row: UserRow) {
  const { email: _subject, userId: _id, ...settings } = userView(row);
  return settings;
}

/** Ids grow with time. */
const pages = pagesOf(users, 'descending', ['id']);

/** Lists users, newest first. One round trip, and one for the property that is named. */
export async function listUsers(
  database: Database,
  { portfolio, property }: Pick<UserPut, 'portfolio' | 'property'>,
  part: Part,
): Promise<Result<Page<UserView>>> {
  const named = property === undefined ? ok(null) : await readProperty(database, property);
  if (!named.ok) return named;
  const which = and(
    property === undefined ? undefined : eq(users.propertyId, property),
    portfolio === undefined ? undefined : eq(users.portfolio, portfolio),
  );
  const page = await pages.read(database.directory, 'd1.user.find', which, part);
  return ok(shownPage(page, userView));
}

/** Where a person's role counts. Only an admin's may count everywhere. */
function placeOf(
  { portfolio, property, role }: UserPut,
  known: RolePlace | undefined,
): Result<RolePlace> {
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

type Limit = Pick<UserRow, 'refundLimitMinor' | 'refundLimitCurrency'>;

/** What a cashier may refund. It is of one property: who works elsewhere from now on loses it. */
function limitOf(
  { portfolio, property: named, refundLimit }: UserPut,
  property: Pick<PropertyRow, 'currency'> | undefined,
  known: UserRow | undefined,
): Result<Limit> {
  if (refundLimit === undefined && known) {
    const stays = portfolio === undefined && (named ?? known.propertyId) === known.propertyId;
    if (stays) return ok(pick(known, 'refundLimitMinor', 'refundLimitCurrency'));
  }
  if (refundLimit === undefined || refundLimit === null) return ok(NO_LIMIT);
  if (!property) {
    return err(placeFailure('refundLimit', 'Name the property in whose currency the limit is.'));
  }
  const { currency } = property;
  const minor = toMinor(refundLimit, exponentOf(currency) ?? 2, 0);
  return minor.ok
    ? ok({ refundLimitMinor: minor.value, refundLimitCurrency: currency })
    : err(placeFailure('refundLimit', 'Use an amount of 0 or more in the currency’s decimals.'));
}

const NO_LIMIT: Limit = { refundLimitMinor: null, refundLimitCurrency: null };

function placeFailure(field: string, message: string): Failure {
  return fieldFailure([{ field, code: 'invalid_value', message }]);
}
