import { z } from '@hono/zod-openapi';
import { base64url } from 'jose';
import { type Failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { parseDayMonthYear, parseIsoDate } from '../core/time.ts';

/** The place of an entry in a list that goes from the newest to the oldest: its creation and its key. */
export interface ListPlace {
  readonly createdAtMs: number;
  readonly key: string;
}

/** The lists of a property, with what the keys of their entries look like. */
const KEYS = {
  bookings: /^.{1,64}$/su,
  transactions: /^\d{1,16}$/,
  applications: /^\d{1,16}$/,
  disputes: /^.{1,255}$/su,
  disbursements: /^.{1,255}$/su,
  mails: /^.{1,255}$/su,
} as const satisfies Record<string, RegExp>;

type ListName = keyof typeof KEYS;

/** What a cursor says: the list and the property that it belongs to, and the place of an entry. */
const cursorParts = z.tuple([z.string(), z.string(), z.int(), z.string()]);

type CursorParts = z.infer<typeof cursorParts>;

/** More than any cursor of this service has. */
const LONGEST_CURSOR = 1_000;

/** An existing day as `DD-MM-YYYY` or `YYYY-MM-DD`. Reads it into the latter. */
export const listedDay = z
  .string()
  .transform((text, context): string => {
    const day = parseIsoDate(text) ?? parseDayMonthYear(text);
    if (day !== null) return day;
    context.addIssue({
      code: 'custom',
      params: { code: 'invalid_date' },
      message: 'Use an existing day as DD-MM-YYYY or YYYY-MM-DD.',
    });
    return z.NEVER;
  })
  .openapi({
    pattern: '^(?:\\d{4}-\\d{2}-\\d{2}|\\d{2}-\\d{2}-\\d{4})$',
    example: '2027-02-14',
  });

const NOT_A_CURSOR = { code: 'invalid_value', message: 'Use the nextCursor of an earlier answer.' };

/** `nextCursor` of the page before. {@link placeIn} reads the place from it. */
export const listCursor = z
  .string()
  .transform((text, context): CursorParts => {
    const parts = text.length > LONGEST_CURSOR ? null : partsOf(text);
    if (parts !== null) return parts;
    const { code, message } = NOT_A_CURSOR;
    context.addIssue({ code: 'custom', params: { code }, message });
    return z.NEVER;
  })
  .openapi({ minLength: 1, maxLength: LONGEST_CURSOR });

/** The page of a list that a request asks for. */
export const pageFields = {
  limit: z.int().min(1).max(200).openapi({ example: 100 }).optional(),
  cursor: listCursor.optional(),
};

/** The entries of a page when the request names no number. */
export const USUAL_LIMIT = 100;

/** The place that a cursor names. It must come from an answer of the same list of the same property. */
export function placeIn(
  list: ListName,
  propertyId: string,
  sent: CursorParts | undefined,
): Result<ListPlace | undefined, Failure> {
  if (sent === undefined) return ok(undefined);
  const [ofList, ofProperty, createdAtMs, key] = sent;
  if (ofList === list && ofProperty === propertyId && KEYS[list].test(key)) {
    return ok({ createdAtMs, key });
  }
  return err(fieldFailure([{ field: 'cursor', ...NOT_A_CURSOR }]));
}

/** The cursor that continues after an entry; null after the last one. */
export function cursorAfter(
  list: ListName,
  propertyId: string,
  place: ListPlace | null,
): string | null {
  return place && textOf([list, propertyId, place.createdAtMs, place.key]);
}

function textOf(parts: CursorParts): string {
  return base64url.encode(JSON.stringify(parts));
}

function partsOf(text: string): CursorParts | null {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(text)));
    const read = cursorParts.safeParse(json);
    // One cursor has one writing.
    return read.success && textOf(read.data) === text ? read.data : null;
  } catch {
    return null;
  }
}

/** The earlier and the later bound of a list: two times in milliseconds, or two days as `YYYY-MM-DD`. */
type Bounds<From extends string, To extends string> = {
  readonly [bound in From | To]?: number | string | undefined;
};

/** Checks that the bounds of a list are in order. It runs if both are valid, whatever else is not. */
export function boundsInOrder<From extends string, To extends string>(from: From, to: To) {
  return z.superRefine<Bounds<From, To>>(
    (bounds, context) => {
      const [first, last] = [bounds[from], bounds[to]];
      if (first === undefined || last === undefined || first <= last) return;
      context.addIssue({
        code: 'custom',
        path: [to],
        params: { code: 'dates_out_of_order' },
        message: `${to} must not come before ${from}.`,
      });
    },
    {
      when: ({ value, issues }) =>
        value !== null &&
        typeof value === 'object' &&
        !issues.some(({ path: [field] = [] }) => field === from || field === to),
    },
  );
}
