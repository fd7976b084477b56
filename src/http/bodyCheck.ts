import { z } from '@hono/zod-openapi';
import type { FieldIssue } from '../core/failure.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * A check that reads several members of a body: `faultsOf` says what is wrong with them. It runs whatever else is wrong,
 * so that the answer lists all issues at once, but not if a member that `unless` names is at fault itself. An issue of the
 * whole names no field.
 */
export function bodyCheck(
  faultsOf: (body: Members) => readonly FieldIssue[],
  unless: readonly string[] = [],
) {
  return z.superRefine<Members>(
    (body, context) => {
      for (const { code, field, message } of faultsOf(body)) {
        context.addIssue({
          code: 'custom',
          path: field === '' ? [] : [field],
          params: { code },
          message,
        });
      }
    },
    {
      when: ({ value, issues }) =>
        value !== null &&
        typeof value === 'object' &&
        !issues.some(({ path: [field] = [] }) => unless.some((name) => name === field)),
    },
  );
}
