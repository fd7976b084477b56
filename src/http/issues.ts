import type { z } from 'zod';
import { holdsCardNumber } from '../core/cardNumbers.ts';
import type { FieldIssue } from '../core/failure.ts';

/** Turns zod's issues into those of an answer. No message repeats a value: it could be a card number. */
export function fieldIssues(body: unknown, error: z.ZodError): FieldIssue[] {
  return error.issues.flatMap((issue) => issuesOf(body, issue));
}

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
  if (issue.code === 'custom') {
    const code = issue.params?.['code'];
    return [{ field, code: typeof code === 'string' ? code : 'invalid', message: issue.message }];
  }
  return [{ field, code: codeOf(issue), message: issue.message }];
}

/** A name in a path. The sender chose the names in a map, so one may be a card number too. */
function nameOf(key: PropertyKey): string {
  const name = String(key);
  return holdsCardNumber(name) ? '(withheld)' : name;
}

function codeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_union':
      return 'invalid_type';
    case 'too_small':
    case 'too_big':
    case 'invalid_type':
    case 'invalid_format':
    case 'invalid_value':
      return issue.code;
    default:
      return 'invalid';
  }
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = body;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
