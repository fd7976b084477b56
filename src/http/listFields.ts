import { z } from '@hono/zod-openapi';
import { instantOf, parseDayMonthYear, parseIsoDate } from '../core/time.ts';

/** The place of an entry in a list that goes from the newest to the oldest: its creation and its key. */
export interface ListPlace {
  readonly createdAtMs: number;
  readonly key: string;
}

/** A time as ISO 8601 with offset. Reads it into milliseconds since 1970. */
export const instant = z
  .string()
  .transform((text, context): number => {
    const atMs = instantOf(text);
    if (atMs !== null) return atMs;
    context.addIssue({
      code: 'custom',
      params: { code: 'invalid_time' },
      message: 'Use a time as ISO 8601 with offset.',
    });
    return z.NEVER;
  })
  .openapi({ type: 'string', example: '2027-02-14T09:00:00+08:00' });

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
  .openapi({ type: 'string', example: '2027-02-14' });

/** How many entries a page has. */
const limit = z.int().min(1).max(200).openapi({ example: 100 });

/** `nextCursor` of the page before: the place of its last entry. */
const cursor = z
  .string()
  .transform((text, context): ListPlace => {
    const [, createdAtMs, key] = /^(-?\d{1,15})\.(.{1,255})$/u.exec(text) ?? [];
    if (createdAtMs !== undefined && key !== undefined) {
      return { createdAtMs: Number(createdAtMs), key };
    }
    context.addIssue({
      code: 'custom',
      params: { code: 'invalid_value' },
      message: 'Use the nextCursor of an earlier answer.',
    });
    return z.NEVER;
  })
  .openapi({ type: 'string' });

/** The same of a list whose keys are numbers. */
const numberCursor = cursor.refine(({ key }) => /^\d{1,16}$/.test(key), {
  params: { code: 'invalid_value' },
  message: 'Use the nextCursor of an earlier answer.',
});

/** The page of a list that a request asks for. */
export const pageFields = { limit: limit.optional(), cursor: cursor.optional() };

/** The same of a list whose keys are numbers. */
export const numberedPageFields = { limit: limit.optional(), cursor: numberCursor.optional() };

/** The entries of a page when the request names no number. */
export const USUAL_LIMIT = 100;

/** The cursor that continues after an entry; null after the last one. */
export function cursorAfter(place: ListPlace | null): string | null {
  return place && `${place.createdAtMs}.${place.key}`;
}
