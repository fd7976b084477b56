import { z } from '@hono/zod-openapi';

/** A list of up to `most` entries. With more of them, none is read: a body of faults costs no more than a good one. */
export function longList<Entry extends z.ZodType>(entry: Entry, most: number) {
  return z.array(z.unknown()).max(most, { abort: true }).pipe(z.array(entry));
}
