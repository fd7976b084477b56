import { z } from '@hono/zod-openapi';

/** A list of up to `most` entries. With more of them, none is read: a body of faults costs no more than a good one. */
export function longList<Entry extends z.ZodType>(entry: Entry, most: number) {
  return z.preprocess((sent, context) => {
    if (!Array.isArray(sent) || sent.length <= most) return sent;
    const message = `At most ${most} entries.`;
    context.addIssue({ code: 'too_big', origin: 'array', maximum: most, input: sent, message });
    return z.NEVER;
  }, z.array(entry).max(most));
}
