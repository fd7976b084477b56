import type { z } from 'zod';
import { holdsCardNumber } from '../core/cardNumbers.ts';
import type { FieldIssue } from '../core/failure.ts';

/** Turns zod's issues into those of an answer. No message repeats a value: it could be a card number. */
export function fieldIssues(body: unknown, error: z.ZodError): FieldIssue[] {
  const issues = error.issues.flatMap((issue) => issuesOf(body, issue));
  // A text in the place of a list may also be too long for that list.
  const mistyped = new Set(issues.filter(isMistyped).map(({ field }) => field));
  return issues.filter((one) => isMistyped(one) || !mistyped.has(one.field));
}

const isMistyped = ({ code }: FieldIssue): boolean => code === 'invalid_type';

function issuesOf(body: unknown, issue: z.core.$ZodIssue): FieldIssue[] {
  if (issue.code === 'invalid_union' && issue.path.length === 0) {
    // Of the forms that a body may have, the one that it comes closest to says what is at fault.
    const missing = (issues: readonly z.core.$ZodIssue[]) =>
      issues.filter(({ path }) => valueAt(body, path) === undefined).length;
    const closer = (a: z.core.$ZodIssue[], b: z.core.$ZodIssue[]) =>
      missing(a) - missing(b) || a.length - b.length;
    const [closest = []] = issue.errors.toSorted(closer);
    return closest.flatMap((inner) => issuesOf(body, inner));
  }
  const field = issue.path.map(nameOf).join('.');
  if (valueAt(body, issue.path) === undefined && issue.code !== 'custom') {
    return [{ field, code: 'required', message: 'This field is required.' }];
  }
  const own = issue.code === 'custom' && issue.params?.['code'];
  const code = typeof own === 'string' ? own : codeOf(issue);
  return [{ field, code, message: issue.message }];
}

/** A name in a path. The sender chose the names in a map, so one may be a card number too. */
function nameOf(key: PropertyKey): string {
  const name = String(key);
  return holdsCardNumber(name) ? '(withheld)' : name;
}

/** The codes of zod's that answers have, too. */
const CODES = ['too_small', 'too_big', 'invalid_type', 'invalid_format', 'invalid_value'];

function codeOf({ code }: z.core.$ZodIssue): string {
  if (code === 'invalid_union') return 'invalid_type';
  return CODES.includes(code) ? code : 'invalid';
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = body;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
