import { csvPath } from './csvTable.ts';

/** The link to a page's table as CSV. `of` names the table where a page has several. */
export function CsvLink({ path, of }: { readonly path: string; readonly of?: string }) {
  return (
    <p class="csv">
      <a href={csvPath(path)} download>
        {of === undefined ? 'Download as CSV' : `Download ${of} as CSV`}
      </a>
    </p>
  );
}
