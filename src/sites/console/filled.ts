import type { Failure } from '../../core/failure.ts';
import { faultsCopy } from '../../desk/refusals.ts';
import type { Form } from '../web/forms.tsx';
import type { FormIssues } from './actions/readAction.ts';

/** What is typed in a form, and what is wrong with that. */
export interface Filled {
  readonly typed: Form;
  readonly issues: FormIssues;
}

/** A form that nobody has filled in yet. */
export const UNTYPED: Filled = { typed: {}, issues: {} };

/** The HTTP status of a page with a form: 422 where something is wrong with what was sent. */
export function statusWith(issues: FormIssues): 200 | 422 {
  return Object.keys(issues).length > 0 ? 422 : 200;
}

/** What is wrong with what was sent: beside the field that is at fault, else for the form as a whole. */
export function issuesOf(failure: Failure, fields: readonly string[]): FormIssues {
  const at = fields.find((name) => failure.fields?.some(({ field }) => field === name));
  return { [at ?? 'form']: faultsCopy(failure) };
}
