import { addDays, localDate } from '../../../core/time.ts';
import { type Change, KINDS, type Kind, type Moved, readAudit } from '../../../desk/audit.ts';
import { whoCopy } from '../../../desk/timeline.ts';
import { words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { Hidden, InputField, SelectField } from '../../web/forms.tsx';
import { Notice, page } from '../../web/page.tsx';
import { type Column, CsvLink, csvAnswer, TableSection, wantsCsv } from '../../web/table.tsx';
import { bookingColumn, moneyColumns, more, timeColumn } from '../lists/columns.tsx';
import { CONSOLE_PATH, pathOf } from '../paths.ts';
import { readSpan } from '../reports/report.ts';
import { framed, type PropertyRequest, Ways } from '../site.tsx';

const { audit: copy, columns: names } = words;

/** How many movements a page shows, and a file has at most. */
const SHOWN = 40;
const MOST_IN_FILE = 1_000;

/** How many days are shown unless somebody chooses. */
const USUAL_DAYS = 7;

/** Shows who moved how much money on some days, and who changed people and settings; or the movements as a file. */
export async function showAudit(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const today = localDate(propertyNow(property), property.timeZone);
  const { from = addDays(today, 1 - USUAL_DAYS), to = today, who = '', kind = '' } = c.req.query();
  const read = readSpan({ from, to }, today);
  const span = read.ok ? read.value : { from: addDays(today, 1 - USUAL_DAYS), to: today };
  const query = {
    span,
    kind: (Object.keys(KINDS) as Kind[]).find((one) => one === kind) ?? null,
    actor: who === '' ? null : who,
  };
  const limit = wantsCsv(c) ? MOST_IN_FILE : SHOWN;
  const { actors, changes, moved } = await readAudit(c.get('database'), property, query, limit);
  const columns = movedColumns(request);
  if (wantsCsv(c))
    return csvAnswer(c, `audit-${property.id}-${span.from}-${span.to}`, columns, moved);
  const chosen = { property: property.id, ...span, who, kind };
  const content = (
    <>
      <Ways name={words.staff.choose} ways={words.staff.ways} current="audit" />
      {!read.ok && <Notice kind="bad" text={read.error} />}
      <form method="get" action={`${CONSOLE_PATH}/audit`} class="days">
        <Hidden fields={{ property: property.id }} />
        <InputField id="from" label={words.report.from} type="date" value={span.from} />
        <InputField id="to" label={words.report.to} type="date" value={span.to} />
        <SelectField
          id="who"
          label={copy.who}
          chosen={who}
          options={[every(), ...actors.map((one) => [one.actor, whoCopy(one)] as const)]}
        />
        <SelectField
          id="kind"
          label={names.what}
          chosen={kind}
          options={[every(), ...Object.entries(copy.kinds)]}
        />
        <button type="submit">{words.report.show}</button>
      </form>
      <TableSection
        id="moved"
        {...copy.moved}
        caption={moved.length < SHOWN ? copy.moved.caption : copy.moved.part}
        columns={columns}
        rows={moved}
      >
        <CsvLink path={pathOf('audit', chosen)} />
      </TableSection>
      <TableSection
        id="changes"
        {...copy.changes}
        columns={changeColumns(request)}
        rows={changes}
      />
    </>
  );
  return page(
    c,
    read.ok ? 200 : 422,
    framed(request, { title: copy.title, here: 'staff' }, content),
  );
}

/** The choice of none in particular. */
function every() {
  return ['', copy.all] as const;
}

function movedColumns({ property }: PropertyRequest): Column<Moved>[] {
  return [
    more(timeColumn<Moved>(names.time, ({ atMs }) => atMs, property)),
    { name: copy.who, text: whoCopy, cell: (row) => <bdi>{whoCopy(row)}</bdi> },
    { name: names.what, text: ({ kind }) => copy.movements[kind] },
    more(bookingColumn),
    ...moneyColumns(),
    { name: copy.reason, isMore: true, text: ({ detail }) => detail },
  ];
}

function changeColumns({ property }: PropertyRequest): Column<Change>[] {
  return [
    more(timeColumn<Change>(names.time, ({ atMs }) => atMs, property)),
    { name: copy.who, cell: (row) => <bdi>{whoCopy(row)}</bdi> },
    { name: names.what, isMore: true, cell: ({ subject }) => <bdi>{subject}</bdi> },
    { name: copy.setting, cell: ({ detail }) => <bdi>{detail}</bdi> },
    { name: copy.before, isMore: true, cell: ({ from }) => <bdi>{from ?? '–'}</bdi> },
    { name: copy.after, cell: ({ to }) => <bdi>{to}</bdi> },
  ];
}
