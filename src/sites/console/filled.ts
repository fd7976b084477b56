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

/** What is wrong with what was sent: beside the field that is at fault, else for the form as a whole. */
export function issuesOf(failure: Failure, fields: readonly string[]): FormIssues {
  const at = fields.find((name) => failure.fields?.some(({ field }) => field === name));
  return { [at ?? 'form']: faultsCopy(failure) };
}
