import { z } from '@hono/zod-openapi';
import { daysBetween } from '../../core/days.ts';
import type { FieldIssue } from '../../core/failure.ts';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { fieldIssues } from '../../http/issues.ts';
import { LARGE_BODY_LIMIT_BYTES } from '../../http/json.ts';
import { applyRanges, type PutRanges } from '../../records/rooms/actions.ts';
import type { NamedCodes } from '../../records/rooms/rules.ts';
import { headIssues, invalidMessage, type MessageHandler, messageSchema } from './handler.ts';
import { MOST_ISSUES, unknownCodesFailure } from './rules/failures.ts';

/** The most ranges of nights in one push (interface: Limits). */
const MOST_RANGES = 50_000;

/** The most nights in all ranges of one push. One batch stores them well within the 30 seconds that D1 gives it. */
const MOST_NIGHTS_OF_ALL = 400_000;

/** The type of a push, its member that holds the ranges, the schema of a range, and what stores them. */
interface Push<Range extends PushedRange> {
  readonly type: string;
  readonly list: string;
  /** Makes the schema of a range, for a currency with `exponent` decimals. */
  readonly range: (exponent: number) => z.ZodType<Range>;
  readonly put: PutRanges<NoInfer<Range>>;
}

interface PushedRange extends NamedCodes {
  readonly firstDay: string;
  readonly lastDay: string;
}

/**
 * Makes the handler of a push: a message with ranges of nights (pms: Rooms and rates). It stores all ranges, or none if a
 * code is unknown.
 */
export function pushHandler<Range extends PushedRange>(push: Push<Range>): MessageHandler {
  const { list, put, range, type } = push;
  const made = new Map<number, z.ZodType<Range>>();
  const rangeFor = (exponent: number) => getOrInsertComputed(made, exponent, () => range(exponent));
  return {
    type,
    scope: 'inventory',
    limitBytes: LARGE_BODY_LIMIT_BYTES,
    handle: async (context, message) => {
      const read = readRanges(rangeFor(context.property.exponent), list, message);
      const issues = [...headIssues(message), ...(read.ok ? [] : read.error)];
      if (!read.ok || issues.length > 0) return err(invalidMessage(issues));
      const { database, property } = context;
      const applied = await applyRanges(database, property.id, read.value, put);
      return applied.ok ? ok({}) : err(unknownCodesFailure(list, applied.error));
    },
    openApi: {
      message: messageSchema(type, { [list]: z.array(range(2)).max(MOST_RANGES) }),
      answer: {},
    },
  };
}

/**
 * Reads the ranges of a message one by one, and ends with the first hundred issues: a body of nothing but faults costs no
 * more than a good one.
 */
function readRanges<Range extends PushedRange>(
  schema: z.ZodType<Range>,
  list: string,
  message: object,
): Result<Range[], FieldIssue[]> {
  const members = z.object({ [list]: z.array(z.unknown()) }).safeParse(message);
  if (!members.success) return err(fieldIssues(message, members.error));
  const sent = members.data[list] ?? [];
  if (sent.length > MOST_RANGES) return err([tooBig(list, `At most ${MOST_RANGES} ranges.`)]);
  const ranges: Range[] = [];
  const issues: FieldIssue[] = [];
  for (const [index, one] of sent.entries()) {
    const read = schema.safeParse(one);
    if (read.success) ranges.push(read.data);
    else issues.push(...issuesOfRange(`${list}.${index}`, one, read.error));
    if (issues.length >= MOST_ISSUES) break;
  }
  if (issues.length > 0) return err(issues);
  return nightsOfAll(ranges) > MOST_NIGHTS_OF_ALL
    ? err([tooBig(list, `At most ${MOST_NIGHTS_OF_ALL} nights in all ranges together.`)])
    : ok(ranges);
}

function tooBig(field: string, message: string): FieldIssue {
  return { field, code: 'too_big', message };
}

function issuesOfRange(place: string, range: unknown, error: z.ZodError): FieldIssue[] {
  return fieldIssues(range, error).map(({ field, ...issue }) => ({
    field: field === '' ? place : `${place}.${field}`,
    ...issue,
  }));
}

function nightsOfAll(ranges: readonly PushedRange[]): number {
  return ranges.reduce((sum, { firstDay, lastDay }) => sum + daysBetween(firstDay, lastDay) + 1, 0);
}
