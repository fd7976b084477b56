import type { z } from 'zod';
import type { FieldFault } from '../core/failure.ts';

/** Turns what zod found into faulty fields; no message repeats a value, so that none can leak one. */
export function fieldFaults(body: unknown, error: z.ZodError): FieldFault[] {
  return error.issues.flatMap((issue) => faultsOf(body, issue));
}

function faultsOf(body: unknown, issue: z.core.$ZodIssue): FieldFault[] {
  const field = issue.path.map(String).join('.');
  if (valueAt(body, issue.path) === undefined && issue.code !== 'custom') {
    return [{ field, code: 'required', message: 'This field is required.' }];
  }
  if (issue.code === 'custom') {
    const code = issue.params?.['code'];
    return [{ field, code: typeof code === 'string' ? code : 'invalid', message: issue.message }];
  }
  return [{ field, code: codeOf(issue), message: issue.message }];
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
