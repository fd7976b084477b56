import { Notice } from '../../web/page.tsx';
import type { FormIssues } from '../actions/readAction.ts';
import type { PropertyRequest } from '../site.tsx';

/** Says that a file was refused, and why, unless that stands beside a field. */
export function Refused({ title, issues }: Readonly<{ title: string; issues: FormIssues }>) {
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
