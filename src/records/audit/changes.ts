import { and, asc, isNotNull } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { queries, type Statement } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { moneyIds } from '../../platform/ids.ts';
import { history } from '../../schema/historyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { settingsChanges } from '../../schema/recordTables.ts';
import type { UserRow } from '../../schema/staffTables.ts';
import { type BookingName, isOfBooking } from '../bookings/store.ts';

/** Who changes people or settings, and when. Administrators live in real time, whatever a property's clock shows. */
export interface ChangedBy {
  readonly clientId: string;
  /** What a person is called; absent for a client. */
  readonly name?: string;
  readonly nowMs: number;
}

export interface SettingsChange {
  /** Where the change counts, as {@link placeOfChange} writes it. An entry is made for each. */
  readonly places: readonly string[];
  /** What is changed: `property`, `fee-rules`, `user <email>`, `client <id>`, `endpoint <id>` or the like. */
  readonly subject: string;
  /** The settings as administrators see them, without secrets; null for something new. */
  readonly before: object | null;
  readonly after: object;
}

/** The place of what counts everywhere. No property or portfolio can be called so. */
const EVERYWHERE = '*';

/** The prefix of a portfolio's place: with its colon, it is no property's. */
const PORTFOLIO = 'portfolio:';

/** Where a change counts: at a property, in a portfolio, or everywhere. */
export function placeOfChange(user: Pick<UserRow, 'propertyId' | 'portfolio'>): string {
  const { portfolio, propertyId } = user;
  return propertyId ?? (portfolio === null ? EVERYWHERE : `${PORTFOLIO}${portfolio}`);
}

export function placesOfProperty({ id, portfolio }: Pick<PropertyRow, 'id' | 'portfolio'>) {
  return [id, `${PORTFOLIO}${portfolio}`, EVERYWHERE];
}

/**
 * Appends an entry for each setting that changed, named in its `detail` (interface: List the audit trail). They belong
 * in the same batch as the change; settings that stay make none.
 */
export function appendChange(
  { clientId: actor, name, nowMs: atMs }: ChangedBy,
  { after, before, places, subject }: SettingsChange,
): Statement[] {
  const earlier = textsOf(before ?? {});
  const later = textsOf(after);
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .filter((setting) => earlier.get(setting) !== later.get(setting))
    .flatMap((setting) =>
      [...new Set(places)].map((place) =>
        queries.insert(settingsChanges).values({
          place,
          id: moneyIds.sequence(atMs),
          atMs,
          actor,
          actorName: name ?? null,
          subject,
          from: earlier.get(setting) ?? null,
          to: later.get(setting) ?? NONE,
          detail: setting,
        }),
      ),
    );
}

/** What a setting that is taken away becomes. */
const NONE = 'none';

/** Each setting that has a value, as a text. Members of objects are settings of their own, such as `contact.email`. */
function textsOf(settings: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(settings).flatMap(([name, value]: [string, unknown]): [string, string][] => {
      if (value === null || value === undefined) return [];
      if (typeof value === 'object' && !Array.isArray(value)) {
        return [...textsOf(value, `${prefix}${name}.`)];
      }
      return [[`${prefix}${name}`, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );
}

/** Selects the audit trail of a booking, oldest first: the entries of its history that change a state. */
export function selectAudit(name: BookingName, { limit, after }: Part) {
  const { sequence, to } = history;
  return queries
    .select({
      ...pick(history, 'sequence', 'atMs', 'actor', 'actorName', 'subjectKind', 'subjectId'),
      ...pick(history, 'chargeId', 'from', 'to', 'detail'),
    })
    .from(history)
    .where(
      and(isOfBooking(history, name), isNotNull(to), comesAfter('ascending', [sequence], after)),
    )
    .orderBy(asc(sequence))
    .limit(limit + 1);
}
