import { z } from '@hono/zod-openapi';
import { base64url } from 'jose';
import { fieldFailure, fieldIssue } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { parseDayMonthYear, parseIsoDate } from '../core/time.ts';
import type { Page, Part } from '../platform/db/page.ts';
import { bodyCheck } from './bodyCheck.ts';
import { readText, wholeNumber } from './fields.ts';

const time = z.int();
const number = z.int();
const id = z.string().min(1);

const KEYS = {
  applications: z.tuple([time, number]),
  audit: z.tuple([number]),
  audited: z.tuple([time, id, number]),
  bankLines: z.tuple([id, id]),
  bookings: z.tuple([time, id]),
  cardProblems: z.tuple([time, number]),
  changes: z.tuple([number]),
  clients: z.tuple([time, id]),
  closedDisputes: z.tuple([time, id]),
  coming: z.tuple([time, number]),
  databases: z.tuple([number]),
  deliveries: z.tuple([number]),
  differences: z.tuple([id]),
  disbursements: z.tuple([time, id]),
  disputes: z.tuple([time, id]),
  endpoints: z.tuple([id]),
  exports: z.tuple([id]),
  exportUsers: z.tuple([time, id]),
  failed: z.tuple([time, number]),
  failedRefunds: z.tuple([time, number]),
  failingCards: z.tuple([time, number]),
  keys: z.tuple([number]),
  ledgerLines: z.tuple([number]),
  mails: z.tuple([time, id]),
  moved: z.tuple([time, id, number]),
  openDisputes: z.tuple([id, time, id]),
  outbox: z.tuple([id]),
  owed: z.tuple([id, id]),
  payments: z.tuple([time, number]),
  payoutItems: z.tuple([time, id]),
  plannedParts: z.tuple([time, id]),
  properties: z.tuple([time, id]),
  search: z.tuple([number, number, number, id]),
  timeline: z.tuple([time, number]),
  transactions: z.tuple([time, number]),
  unanswered: z.tuple([time, number]),
  unansweredRefunds: z.tuple([time, number]),
  unsettled: z.tuple([time, id]),
  untaken: z.tuple([time, number]),
  users: z.tuple([id]),
  virtualCards: z.tuple([time, id]),
} as const;

export type ListName = keyof typeof KEYS;

/** What a cursor says: the list, whose it is, and the key of an entry. */
const cursorParts = z.tuple([z.string(), z.string()], z.union([z.int(), z.string()]));

type CursorParts = z.infer<typeof cursorParts>;

/** More than any cursor of this service has. */
const LONGEST_CURSOR = 1_000;

/** An existing day as `DD-MM-YYYY` or `YYYY-MM-DD`. Reads it into the latter. */
export const listedDay = readText(
  (text) => parseIsoDate(text) ?? parseDayMonthYear(text),
  'invalid_date',
  'Use an existing day as DD-MM-YYYY or YYYY-MM-DD.',
).openapi({
  pattern: '^(?:\\d{4}-\\d{2}-\\d{2}|\\d{2}-\\d{2}-\\d{4})$',
  example: '2027-02-14',
});

const NOT_A_CURSOR = { code: 'invalid_value', message: 'Use the nextCursor of an earlier answer.' };

/** `nextCursor` of the page before. {@link partOf} reads the key from it. */
const listCursor = readText(partsOf, NOT_A_CURSOR.code, NOT_A_CURSOR.message).openapi({
  minLength: 1,
  maxLength: LONGEST_CURSOR,
});

/** The page of a list that a request asks for. */
export const pageFields = {
  limit: wholeNumber(1, 200).default(50).openapi({ example: 100 }).describe('see Pages of a list'),
  cursor: listCursor.optional().describe('see Pages of a list'),
};

export const nextPage = z.string().nullable().describe('null on the last page');

/** What a request says of the page that it asks for. */
export interface RequestedPage {
  readonly limit: number;
  readonly cursor?: CursorParts | undefined;
}

/** In place of a property, in the cursors of lists that belong to none. */
export const EVERY_PROPERTY = '';

/**
 * The part of a list that a request asks for. Its cursor must come from an answer of the same list of the same owner: a
 * property, or what else the list is of; {@link EVERY_PROPERTY} where the list is of all.
 */
export function partOf(
  list: ListName,
  owner: string,
  { cursor, limit }: RequestedPage,
): Result<Part> {
  if (cursor === undefined) return ok({ limit });
  const [ofList, ofOwner, ...key] = cursor;
  if (ofList === list && ofOwner === owner && KEYS[list].safeParse(key).success) {
    return ok({ limit, after: key });
  }
  return err(fieldFailure([{ field: 'cursor', ...NOT_A_CURSOR }]));
}

/** The part of a list that a page of the console shows. What is no cursor of this list leads to its beginning. */
export function shownPart(
  list: ListName,
  owner: string,
  { cursor = '', limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Part {
  const part = partOf(list, owner, { limit, cursor: partsOf(cursor) ?? undefined });
  return part.ok ? part.value : { limit };
}

/** The cursor that continues after a page; null after the last one. */
export function cursorAfter(list: ListName, owner: string, { next }: Pick<Page<unknown>, 'next'>) {
  return next && textOf([list, owner, ...next]);
}

function textOf(parts: CursorParts): string {
  return base64url.encode(JSON.stringify(parts));
}

function partsOf(text: string): CursorParts | null {
  if (text.length > LONGEST_CURSOR) return null;
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(text)));
    const read = cursorParts.safeParse(json);
    // One cursor has one writing.
    return read.success && textOf(read.data) === text ? read.data : null;
  } catch {
    return null;
  }
}

/** Checks that two bounds, both times or both days, are in order, if both are valid. */
export function boundsInOrder(from: string, to: string) {
  return bodyCheck(
    (bounds) => {
      const [first, last] = [bounds[from], bounds[to]] as (number | string | undefined)[];
      return first === undefined || last === undefined || first <= last
        ? []
        : [fieldIssue(to, 'dates_out_of_order', `${to} must not come before ${from}.`)];
    },
    [from, to],
  );
}
