import { words } from '../../desk/words.ts';

/** The link to a page's table as CSV. `path` may have a query; `of` names the table where a page has several. */
export function CsvLink({ path, of }: { readonly path: string; readonly of?: string }) {
  const { csv } = words;
  return (
    <p class="csv">
      <a href={`${path}${path.includes('?') ? '&' : '?'}format=csv`} download>
        {of === undefined ? csv.all : csv.of({ table: of })}
      </a>
    </p>
  );
}
