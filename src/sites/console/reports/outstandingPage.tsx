import { localDate } from '../../../core/time.ts';
import { OWING_AHEAD_DAYS, OWING_BEFORE_DAYS, readOwing } from '../../../desk/reports/owing.ts';
import { words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { page } from '../../web/page.tsx';
import { CsvLink, csvAnswer, TableSection, wantsCsv } from '../../web/table.tsx';
import { owingCopy, stayColumns, withBalance } from '../lists/stays.tsx';
import { pathOf } from '../paths.ts';
import { framed, type PropertyRequest, Ways } from '../site.tsx';

const { outstanding: copy } = words;

/** How many stays a page shows, and a file has at most. */
const SHOWN = 40;
const MOST_IN_FILE = 1_000;

/** Shows the stays around today that owe something, by arrival, or all of them as a file. */
export async function showOutstanding(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const today = localDate(propertyNow(property), property.timeZone);
  const limit = wantsCsv(c) ? MOST_IN_FILE : SHOWN;
  const stays = await readOwing(c.get('database'), property.id, today, limit);
  const columns = stayColumns(property.id);
  const rows = stays.map(withBalance);
  if (wantsCsv(c)) return csvAnswer(c, `outstanding-${property.id}`, columns, rows);
  const content = (
    <>
      <ReportTabs current="outstanding" />
      <p class="soft">
        {copy.intro({ before: String(OWING_BEFORE_DAYS), ahead: String(OWING_AHEAD_DAYS) })}
      </p>
      <TableSection
        id="outstanding"
        heading={copy.title}
        caption={owingCopy(stays)}
        columns={columns}
        rows={rows}
        empty={copy.empty}
      >
        <CsvLink path={pathOf('outstanding', { property: property.id })} />
      </TableSection>
    </>
  );
  return page(c, 200, framed(request, { title: copy.title, here: 'report' }, content));
}

/** The two reports: what was taken, and what is still owed. */
export function ReportTabs({ current }: { readonly current: keyof typeof copy.ways }) {
  return <Ways name={copy.choose} ways={copy.ways} current={current} />;
}
