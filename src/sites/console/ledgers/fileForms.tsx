import type { Failure } from '../../../core/failure.ts';
import { faultsCopy } from '../../../desk/refusals.ts';
import type { Form } from '../../web/forms.tsx';
import { Notice } from '../../web/page.tsx';
import type { FormIssues } from '../actions/readAction.ts';
import type { PropertyRequest } from '../site.tsx';

/** A form for a file: what is typed in it, and what is wrong with that. */
export interface Filled {
  readonly typed: Form;
  readonly issues: FormIssues;
}

/** What is wrong with a file that was sent: beside the field that is at fault, else above the form. */
export function issuesOf(failure: Failure, fields: readonly string[]): FormIssues {
  const at = fields.find((name) => failure.fields?.some(({ field }) => field === name));
  return { [at ?? 'form']: faultsCopy(failure) };
}

/** Says that a file was refused, and why, unless that stands beside a field. */
export function Refused({
  title,
  issues,
}: {
  readonly title: string;
  readonly issues: FormIssues;
}) {
  if (Object.keys(issues).length === 0) return null;
  return (
    <Notice kind="bad" focus text={title}>
      {issues['form'] !== undefined && <p>{issues['form']}</p>}
    </Notice>
  );
}

/** Who is at work with a property's ledgers, and on whose request. */
export function ledgerWork({ c, person, property }: PropertyRequest) {
  const { database, requestId, trace } = c.var;
  const { env } = c;
  return { env, bucket: env.EXPORTS, database, trace, person, property, requestId };
}
