import { addDays, localDate, parseIsoDate } from '../../../core/time.ts';
import { wordFor } from '../../../core/words/staff.ts';
import {
  type Actor,
  type Change,
  KINDS,
  type Kind,
  keyOfChange,
  keyOfMoved,
  type Moved,
  readAudit,
} from '../../../desk/audit.ts';
import { days } from '../../../desk/format.ts';
import { readSpan } from '../../../desk/reports/report.ts';
import { whoCopy } from '../../../desk/timeline.ts';
import { words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Hidden, InputField, SelectField } from '../../web/forms.tsx';
import { Notice, page } from '../../web/page.tsx';
import { type Column, Records, wantsCsv } from '../../web/table.tsx';
import {
  amountIn,
  bookingColumn,
  moneyColumns,
  more,
  timeColumn,
  typedColumn,
} from '../lists/columns.tsx';
import { askedOf, type ListOf, viewOf } from '../lists/list.tsx';
import { CONSOLE_PATH } from '../paths.ts';
import { framed, type PropertyRequest, Ways } from '../site.tsx';

const { audit: copy, columns: names } = words;

/** How many days are shown unless somebody chooses. */
const USUAL_DAYS = 7;

/** Shows who moved how much money on some days, and who changed people and settings; or the movements as a file. */
export async function showAudit(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const { currency } = property;
  const today = localDate(propertyNow(property), property.timeZone);
  const { from = addDays(today, 1 - USUAL_DAYS), to = today, who = '', kind = '' } = c.req.query();
  const read = readSpan({ from, to }, today);
  const span = read.ok ? read.value : { from: addDays(today, 1 - USUAL_DAYS), to: today };
  const query = {
    span,
    kind: (Object.keys(KINDS) as Kind[]).find((one) => one === kind) ?? null,
    actor: who === '' ? null : who,
  };
  const view = viewOf(request);
  const place = { path: 'audit', query: { ...span, who, kind } };
  const ofMoved = askedOf(c, movedList(property), view, place);
  const ofChanges = askedOf(c, changeList(property), view, place);
  const parts = { moved: ofMoved.part, changes: ofChanges.part };
  const every = ['', copy.all] as const;
  const { actors, changes, moved } = await readAudit(c.get('database'), property, query, parts);
  if (wantsCsv(c)) {
    return c.req.query('table') === 'changes' ? ofChanges.file(changes) : ofMoved.file(moved);
  }
  const content = (
    <>
      <Ways name={words.staff.choose} ways={words.staff.ways} current="audit" />
      {!read.ok && <Notice kind="bad" text={read.error} />}
      {actors.length > 0 && (
        <section>
          <Records
            caption={copy.people}
            columns={[
              typedColumn<Actor>(copy.who, whoCopy),
              amountIn<Actor>(currency, copy.kinds.refunded, ({ refundedMinor }) => refundedMinor),
              amountIn<Actor>(currency, copy.kinds.taken, ({ takenMinor }) => takenMinor),
            ]}
            rows={actors}
          />
        </section>
      )}
      <form method="get" action={`${CONSOLE_PATH}/audit`} class="days">
        <Hidden fields={{ property: property.id }} />
        <InputField id="from" label={words.report.from} type="date" value={span.from} />
        <InputField id="to" label={words.report.to} type="date" value={span.to} />
        <SelectField
          id="who"
          label={copy.who}
          chosen={who}
          options={[every, ...actors.map((one) => [one.actor, whoCopy(one)] as const)]}
        />
        <SelectField
          id="kind"
          label={names.what}
          chosen={kind}
          options={[every, ...Object.entries(copy.kinds)]}
        />
        <button type="submit">{words.report.show}</button>
      </form>
      {ofMoved.section(moved)}
      {ofChanges.section(changes)}
    </>
  );
  return page(
    c,
    read.ok ? 200 : 422,
    framed(request, { title: copy.title, here: 'staff', span }, content),
  );
}

function movedList(property: PropertyRow): ListOf<Moved> {
  return {
    copy: copy.moved,
    name: 'audited',
    file: 'audit',
    field: 'afterMoved',
    key: keyOfMoved,
    columns: () => [
      more(timeColumn<Moved>(names.time, ({ atMs }) => atMs, property)),
      typedColumn(copy.who, whoCopy),
      { name: names.what, text: ({ kind }) => copy.movements[kind] },
      more(bookingColumn),
      ...moneyColumns(),
      { name: copy.reason, isMore: true, text: ({ detail }) => detail },
    ],
  };
}

function changeList(property: PropertyRow): ListOf<Change> {
  return {
    copy: copy.changes,
    name: 'changes',
    file: 'changes',
    field: 'afterChange',
    table: 'changes',
    key: keyOfChange,
    columns: () => [
      more(timeColumn<Change>(names.time, ({ atMs }) => atMs, property)),
      typedColumn(copy.who, whoCopy),
      said(names.what, ({ subject }) => subject, subjectCopy),
      said(copy.setting, ({ detail }) => detail, settingCopy),
      more(
        said(
          copy.before,
          ({ from }) => from ?? '–',
          ({ detail, from }) => valueCopy(detail, from),
        ),
      ),
      said(
        copy.after,
        ({ to }) => to,
        ({ detail, to }) => valueCopy(detail, to),
      ),
    ],
  };
}

/** A column in words. Its file has the names of the interface. */
function said(
  name: string,
  text: (row: Change) => string | null,
  inWords: (row: Change) => string,
): Column<Change> {
  return { ...typedColumn(name, text), cell: (row) => <bdi>{inWords(row)}</bdi> };
}

/** What is changed, such as a person by their address. */
function subjectCopy({ subject }: Change): string {
  const [kind = '', ...which] = subject.split(' ');
  return [wordFor(copy.subjects, kind) ?? kind, ...which].join(' ');
}

/** A setting as words: `contact phone` of `contact.phone`. */
function settingCopy({ detail }: Change): string {
  const setting = detail ?? '';
  const split = setting.replaceAll(/\.|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return wordFor(copy.settings, setting) ?? split;
}

/** What the audit trail says of an imported bank statement. */
const IMPORTED = /^(\d+) lines of (\S+) to (\S+), (\d+) repeated$/;

/** What a setting was or is. A role has its word; a value that nobody has words for stands for itself. */
function valueCopy(setting: string | null, value: string | null): string {
  if (value === null || value === 'none') return '–';
  const [, lines, first = '', last = '', repeated = ''] = IMPORTED.exec(value) ?? [];
  const from = parseIsoDate(first);
  const to = parseIsoDate(last);
  if (lines !== undefined && from !== null && to !== null) {
    return copy.imported({ lines, days: days(from, to), repeated });
  }
  return wordFor(setting === 'role' ? words.staff.roles : copy.values, value) ?? value;
}
