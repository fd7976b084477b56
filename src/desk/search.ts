import { and, type SQL, sql } from 'drizzle-orm';
import { foldedWords, fromItsEnd } from '../core/foldedWords.ts';
import { pick } from '../core/pick.ts';
import type { IsoDate } from '../core/time.ts';
import { typedAmount } from '../core/typedAmount.ts';
import { BALANCE } from '../money/balance/bookingMoney.ts';
import { price } from '../money/pricing/fees.ts';
import { type Database, queries } from '../platform/db/database.ts';
import { comesAfter, type Key, listed, type Part } from '../platform/db/page.ts';
import { selectArchived } from '../records/archive/store.ts';
import { isBooking } from '../records/bookings/store.ts';
import { type FeeSettings, possibleTerms } from '../records/properties/rules/feeTerms.ts';
import { bookings } from '../schema/bookingTables.ts';

/** How many bookings a word may have: of more, the nearest stays are found. Pages say that there are more. */
export const MOST_COUNTED = 1_000;

/** Of words that more bookings have, those of the nearest stays are found: so many before and after today. */
const NEAREST = 500;

/** How many bookings of one card, amount or id are found: the latest ones. */
const MOST_OF_MONEY = 20;

export type Found = Awaited<ReturnType<typeof selectFound>>[number];

/** Where a booking is among those that were found: its place, and what they are ordered by. */
export const keyOfFound = ({ distance, isOther, place, reference }: Placed): Key => [
  place,
  isOther,
  distance,
  reference,
];

/** A booking that was found, with its place among all of them, from 1 on. */
export interface Placed extends Found {
  readonly place: number;
}

/**
 * Finds bookings of a property: the one with this very reference first, then the nearest stay to `today`. An archived one is
 * found by its whole reference alone. One round trip.
 */
export async function searchBookings(
  database: Database,
  property: { readonly id: string; readonly today: IsoDate },
  terms: SearchTerms,
  part: Part,
): Promise<{ readonly found: readonly Placed[]; readonly isArchived: boolean }> {
  const [found, [archived]] = await database.batch('d1.console.read', [
    selectFound(property, terms, part),
    selectArchived({ propertyId: property.id, reference: terms.text }),
  ]);
  const before = Number(part.after?.[0] ?? 0);
  return {
    found: found.map((one, at) => ({ ...one, place: before + at + 1 })),
    isArchived: archived?.state === 'archived',
  };
}

/** Selects the bookings that a text means, with how many there are in all and what moved of their money. */
export function selectFound(
  { id, today }: { readonly id: string; readonly today: IsoDate },
  terms: SearchTerms,
  { limit, after }: Part,
) {
  const order = [sql`is_other`, sql`distance`, sql`hit`];
  // SQLite looks each booking up: a cross join keeps what names it first.
  const which = and(
    isBooking({ propertyId: id, reference: sql`meant.reference` }),
    comesAfter('ascending', order, after?.slice(1)),
  );
  // The money of those alone that are shown: it is many rows of each booking.
  const hits = sql`(WITH meant AS MATERIALIZED (${meanings(id, today, terms)}) SELECT meant.reference AS hit, is_money, (SELECT count(*) FROM meant) AS in_all, lower(meant.reference) <> lower(${terms.text}) AS is_other, CAST(abs(julianday(bookings.arrival) - julianday(${today})) AS INTEGER) AS distance FROM meant CROSS JOIN bookings WHERE ${which} ORDER BY ${listed(order)} LIMIT ${limit + 1}) AS hits`;
  return queries
    .select({
      ...pick(bookings, 'reference', 'status', 'arrival', 'departure', 'firstName', 'lastName'),
      ...pick(bookings, 'currency', 'totalCostMinor'),
      balance: BALANCE.as('balance'),
      /** Whether it was found by the id of a payment or refund. */
      isById: sql<number>`hits.is_money`.as('by_id'),
      isOther: sql<number>`hits.is_other`.as('other'),
      distance: sql<number>`hits.distance`.as('days_away'),
      /** How many bookings were found in all, counted up to `MOST_COUNTED` of each meaning. */
      all: sql<number>`hits.in_all`.as('all'),
    })
    .from(hits)
    .crossJoin(bookings)
    .where(isBooking({ propertyId: id, reference: sql`hits.hit` }))
    .orderBy(sql`hits.is_other, hits.distance, hits.hit`);
}

/** The references of what each meaning of the text finds by its index. */
function meanings(propertyId: string, today: IsoDate, terms: SearchTerms): SQL {
  const { amountsMinor, email, last4, moneyId, text } = terms;
  const of = (table: SQL, where: SQL) =>
    sql`SELECT booking_reference FROM ${table} WHERE property_id = ${propertyId} AND ${where}`;
  const latest = (table: SQL, where: SQL) =>
    sql`SELECT booking_reference, 0 FROM (${of(table, where)} ORDER BY created_at_ms DESC LIMIT ${MOST_OF_MONEY})`;
  const byColumn = (where: SQL) =>
    sql`SELECT reference, 0 FROM (SELECT reference FROM bookings WHERE property_id = ${propertyId} AND ${where} LIMIT ${MOST_COUNTED + 1})`;
  const parts = [
    ...(terms.words.length > 0 ? [withWords(propertyId, today, terms.words)] : []),
    byColumn(sql`pms_confirmation_number = ${text}`),
    ...(email === undefined ? [] : [byColumn(beginsWith(sql`lower(email)`, sql`lower(${email})`))]),
    ...(last4 === undefined ? [] : [latest(sql`cards`, sql`last4 = ${last4}`)]),
    // One by one: with several, SQLite would sort all bookings of these amounts.
    ...amountsMinor.map((minor) => latest(sql`transactions`, sql`amount_minor = ${minor}`)),
    ...(moneyId === undefined
      ? []
      : ['transactions', 'refunds'].map(
          (table) =>
            sql`SELECT booking_reference, 1 FROM ${sql.raw(table)} WHERE id = ${moneyId} AND +property_id = ${propertyId}`,
        )),
  ];
  // One in another: D1 takes at most five selections side by side.
  const all = parts.reduce(
    (before, part) => sql`SELECT * FROM (${before}) UNION ALL ${part}`,
    NONE,
  );
  return sql`SELECT reference, max(is_money) AS is_money FROM (${all}) GROUP BY reference`;
}

const NONE = sql`SELECT '' AS reference, 0 AS is_money WHERE 0`;

/**
 * Selects bookings that have all words. They are looked up by the rarer one of the two longest words. Where very many have that,
 * some of them are, and those of the nearest stays.
 */
function withWords(propertyId: string, today: IsoDate, words: readonly Word[]): SQL {
  const [first = { folded: '', typed: '' }, second] = words.toSorted(
    (one, other) => other.folded.length - one.folded.length,
  );
  const isFirst = sql`(SELECT count(*) FROM first_word) <= (SELECT count(*) FROM second_word)`;
  const rarest =
    second === undefined
      ? sql`rarest AS MATERIALIZED (${lookedUp(propertyId, first)})`
      : sql`first_word AS MATERIALIZED (${lookedUp(propertyId, first)}), second_word AS MATERIALIZED (${lookedUp(propertyId, second)}), rarest AS MATERIALIZED (SELECT * FROM first_word WHERE ${isFirst} UNION ALL SELECT * FROM second_word WHERE NOT ${isFirst})`;
  const nearest = sql`(SELECT iif(count(*) > ${MOST_COUNTED}, ${NEAREST}, 0) FROM rarest)`;
  const near = (where: SQL, order: SQL) =>
    sql`SELECT * FROM (SELECT reference FROM bookings WHERE property_id = ${propertyId} AND ${where} ORDER BY arrival ${order} LIMIT ${nearest})`;
  return sql`SELECT reference, 0 FROM (WITH ${rarest} SELECT bookings.reference FROM (SELECT * FROM rarest UNION ${near(sql`arrival >= ${today}`, sql`ASC`)} UNION ${near(sql`arrival < ${today}`, sql`DESC`)}) AS one CROSS JOIN bookings WHERE ${isBooking({ propertyId, reference: sql`one.reference` })} AND ${sql.join(words.map(hasWord), sql` AND `)})`;
}

/** The references of a word's bookings, in the order of the indexes. */
function lookedUp(propertyId: string, { folded, typed }: Word): SQL {
  const inWords = [folded, ...endsOf(folded).map(fromItsEnd)].map(
    (beginning) =>
      sql`SELECT booking_reference AS reference FROM booking_words WHERE property_id = ${propertyId} AND ${beginsWith(sql`word`, sql`${beginning}`)}`,
  );
  const likeTyped = [...new Set([typed, typed.toUpperCase(), typed.toLowerCase()])].map(
    (beginning) =>
      sql`SELECT reference FROM bookings WHERE property_id = ${propertyId} AND ${beginsWith(sql`reference`, sql`${beginning}`)}`,
  );
  return sql`SELECT reference FROM (${sql.join([...inWords, ...likeTyped], sql` UNION ALL `)} LIMIT ${MOST_COUNTED + 1})`;
}

/** A word begins like that, or its end is that. */
function hasWord({ folded }: Word): SQL {
  const places = [` ${folded}`, ...endsOf(folded).map((end) => `${end} `)].map(
    (place) => sql`instr(search_words || ' ', ${place}) > 0`,
  );
  return sql`(${sql.join(places, sql` OR `)})`;
}

/** The ends that a typed word may be. A phone number may be typed as from abroad. */
function endsOf(word: string): string[] {
  if (word.length < SHORTEST_END) return [];
  return /^\d{7,}$/.test(word) ? [...new Set([word, word.slice(-SAME_ABROAD)])] : [word];
}

/** How many digits of a phone number are the same with and without the code of its country. */
const SAME_ABROAD = 8;

/** How much of an end must be typed: fewer characters would find anything. */
const SHORTEST_END = 3;

/** A range of an index: SQLite uses none for LIKE with a parameter. */
function beginsWith(column: SQL, text: SQL): SQL {
  return sql`${column} >= ${text} AND ${column} < ${text} || char(1114111)`;
}

/** What a text that was typed to find a booking may mean. Undefined where it cannot mean that. */
export interface SearchTerms {
  /** As it was typed: a whole reference, or a PMS's confirmation number. */
  readonly text: string;
  /** The folded words that a booking has in any order: of names, of its reference, or of its phone number. */
  readonly words: readonly Word[];
  /** The beginning of an e-mail address. */
  readonly email: string | undefined;
  readonly last4: string | undefined;
  /** The amounts that may have been charged, in minor units. */
  readonly amountsMinor: readonly number[];
  /** The id of a charge or refund. */
  readonly moneyId: number | undefined;
}

/** A word, folded, and as it was typed: a reference may begin like that. */
interface Word {
  readonly folded: string;
  readonly typed: string;
}

/** More words than any guest's name has. */
const MOST_WORDS = 6;

/** Reads what was typed at a property with this currency; null if nothing was. */
export function termsOf(typed: string, currency: string): SearchTerms | null {
  const text = typed.trim().replaceAll(/\s+/g, ' ');
  if (text === '') return null;
  const [, last4] = /^(?:\p{L}[\p{L} ]* )?(\d{4})$/u.exec(text) ?? [];
  return {
    text,
    words: text.includes('@') ? [] : wordsOf(text),
    email: text.includes(' ') ? undefined : text,
    last4,
    amountsMinor: amountsOf(text, currency),
    moneyId: /^\d{5,16}$/.test(text) ? Number(text) : undefined,
  };
}

/** A phone number is one word, however its digits are grouped. */
function wordsOf(text: string): Word[] {
  const parts = /^[+\d][\d\s()./-]*$/.test(text) ? [text] : text.split(/[\s,;/]+/);
  const words = parts.map((typed) => ({ typed, folded: foldedWords(typed).join('') }));
  const byFolded = new Map(words.map((word) => [word.folded, word]));
  return [...byFolded.values()].filter(({ folded }) => folded !== '').slice(0, MOST_WORDS);
}

/** What amounts were typed: both, where it could be two. */
function amountsOf(text: string, currency: string): readonly number[] {
  const typed = typedAmount(text, currency);
  if (typed.ok) return typed.value > 0 ? [typed.value] : [];
  const doubt = typed.error;
  return doubt.kind === 'unreadable' ? [] : [doubt.decimalMinor, doubt.thousandsMinor];
}

/**
 * These amounts, and what a card is charged for them by the fees that the property has now: staff type amounts without fees.
 * At most `MOST_AMOUNTS`.
 */
export function asCharged(amountsMinor: readonly number[], property: FeeSettings): number[] {
  const charged = amountsMinor.flatMap((minor) =>
    possibleTerms(property).flatMap((terms) => {
      const priced = price(minor, terms, 1);
      return priced.ok ? [priced.value.amountMinor] : [];
    }),
  );
  return [...new Set([...amountsMinor, ...charged])].slice(0, MOST_AMOUNTS);
}

/** Each amount is a look-up of its own. */
const MOST_AMOUNTS = 10;
