import { and, eq, type SQL, sql } from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { typedAmount } from '../core/typedAmount.ts';
import { type Database, queries } from '../platform/db/database.ts';
import { bookings } from '../schema/bookingTables.ts';
import type { words } from './words.ts';

/** How many bookings of each meaning of the text are shown. */
const MOST_FOUND = 20;

/** How many bookings are shown in all: more would not help, and weigh too much. */
const MOST_SHOWN = 60;

/** By what a booking was found. */
type FoundBy = keyof typeof words.search.foundBy;

export type Found = Awaited<ReturnType<typeof selectFound>>[number];

/** Finds bookings of a property, those that are found by their reference first. One round trip. */
export async function searchBookings(
  database: Database,
  propertyId: string,
  terms: SearchTerms,
): Promise<readonly Found[]> {
  const found = await database.batch('d1.console.read', selectsOf(propertyId, terms));
  const first = new Map<string, Found>();
  for (const booking of found.flat()) {
    if (!first.has(booking.reference)) first.set(booking.reference, booking);
  }
  return [...first.values()].slice(0, MOST_SHOWN);
}

/** Selects bookings by each meaning of the text, each by its index. */
export function selectsOf(propertyId: string, terms: SearchTerms) {
  const { text } = terms;
  const select = (by: FoundBy, where: SQL) => selectFound(propertyId, by, where);
  return [
    select('reference', beginsWith(sql`${bookings.reference}`, sql`${text}`)),
    select('name', beginsWith(LOWER_NAME, lower(text))),
    select('e-mail', beginsWith(LOWER_EMAIL, lower(text))),
    select('confirmation number', confirmedAs(propertyId, text)),
    select('card', withCard(propertyId, terms.last4 ?? '')),
    // One by one: with several, SQLite would sort all bookings of these amounts.
    ...terms.amountsMinor.map((minor) => select('amount', ofAmount(propertyId, minor))),
    select('payment', ofMoney(propertyId, terms.moneyId ?? -1)),
  ] as const;
}

const LOWER_NAME = sql`lower(${bookings.lastName})`;
const LOWER_EMAIL = sql`lower(${bookings.email})`;

function lower(text: string): SQL {
  return sql`lower(${text})`;
}

/** A range of an index: SQLite uses none for LIKE with a parameter. */
function beginsWith(column: SQL, text: SQL): SQL {
  return sql`${column} >= ${text} AND ${column} < ${text} || char(1114111)`;
}

/** A list, because SQLite would rather read all bookings of the property than look few up in the index. */
function confirmedAs(propertyId: string, number: string): SQL {
  return sql`${bookings.reference} IN (SELECT reference FROM bookings WHERE property_id = ${propertyId} AND pms_confirmation_number = ${number})`;
}

function ofAmount(propertyId: string, amountMinor: number): SQL {
  return sql`${bookings.reference} IN (SELECT booking_reference FROM transactions WHERE property_id = ${propertyId} AND amount_minor = ${amountMinor} ORDER BY created_at_ms DESC LIMIT ${MOST_FOUND})`;
}

function withCard(propertyId: string, last4: string): SQL {
  return sql`${bookings.reference} IN (SELECT booking_reference FROM cards WHERE property_id = ${propertyId} AND last4 = ${last4} ORDER BY created_at_ms DESC LIMIT ${MOST_FOUND})`;
}

function ofMoney(propertyId: string, id: number): SQL {
  return sql`${bookings.reference} IN (SELECT booking_reference FROM transactions WHERE id = ${id} AND property_id = ${propertyId} UNION ALL SELECT booking_reference FROM refunds WHERE id = ${id} AND property_id = ${propertyId})`;
}

function selectFound(propertyId: string, by: FoundBy, where: SQL) {
  return (
    queries
      .select({
        by: sql<FoundBy>`${by}`.as('by'),
        ...pick(bookings, 'reference', 'status', 'arrival', 'departure', 'firstName', 'lastName'),
        ...pick(bookings, 'currency', 'totalCostMinor'),
      })
      .from(bookings)
      .where(and(eq(bookings.propertyId, propertyId), where))
      // In the order of the index that finds them: a sort would read all that begin with one letter.
      .limit(MOST_FOUND)
  );
}

/** What a text that was typed to find a booking may mean. Undefined where it cannot mean that. */
export interface SearchTerms {
  /** The beginning of a reference, a last name or an e-mail address, or a PMS's confirmation number. */
  readonly text: string;
  readonly last4: string | undefined;
  /** The amounts that may have been charged, in minor units. */
  readonly amountsMinor: readonly number[];
  /** The id of a charge or refund. */
  readonly moneyId: number | undefined;
}

/** Reads what was typed at a property with this currency; null if nothing was. */
export function termsOf(typed: string, currency: string): SearchTerms | null {
  const text = typed.trim().replaceAll(/\s+/g, ' ');
  if (text === '') return null;
  return {
    text: lastName(text),
    last4: /^\d{4}$/.test(text) ? text : undefined,
    amountsMinor: amountsOf(text, currency),
    moneyId: /^\d{5,16}$/.test(text) ? Number(text) : undefined,
  };
}

/** Of a first and a last name, the last one finds the guest. */
function lastName(text: string): string {
  const isName = /^\p{L}[\p{L}\p{M}'’.-]* (?:[\p{L}\p{M}'’.-]+ )*\p{L}[\p{L}\p{M}'’.-]*$/u.test(
    text,
  );
  return isName ? (text.split(' ').at(-1) ?? text) : text;
}

/** What amounts were typed: both, where it could be two. */
function amountsOf(text: string, currency: string): readonly number[] {
  const typed = typedAmount(text, currency);
  if (typed.ok) return typed.value > 0 ? [typed.value] : [];
  const doubt = typed.error;
  return doubt.kind === 'unreadable' ? [] : [doubt.decimalMinor, doubt.thousandsMinor];
}
