import { useReader } from './reader.tsx';

/** A field that has something wrong with it. */
export interface FieldIssue {
  /** The id of the field. */
  readonly id: string;
  readonly label: string;
  readonly issue: string;
}

/** Lists what is wrong with a form, and has the focus when the page opens. */
export function ErrorSummary({ issues }: { readonly issues: readonly FieldIssue[] }) {
  const { cardForm } = useReader().words;
  if (issues.length === 0) return null;
  return (
    <div class="notice bad" role="alert" tabindex={-1} autofocus>
      <h2>{cardForm.summary}</h2>
      <ul>
        {issues.map(({ id, label, issue }) => (
          <li>
            <a href={`#${id}`}>{cardForm.inField({ field: label, issue })}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
