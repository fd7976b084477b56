import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Scope } from '../../../desk/lists.ts';
import { inSentence, words } from '../../../desk/words.ts';
import type { AppContext } from '../../../http/context.ts';
import { cursorAfter, EVERY_PROPERTY, type ListName, shownPart } from '../../../http/listFields.ts';
import type { Statement } from '../../../platform/db/database.ts';
import { asOneList, type Key, type Part, pageOf } from '../../../platform/db/page.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import type { Person } from '../../../records/staff/rules.ts';
import { LinkLine, page } from '../../web/page.tsx';
import { type Column, CsvLink, csvAnswer, TableSection, wantsCsv } from '../../web/table.tsx';
import { listPath } from '../paths.ts';
import { framed, type PropertyRequest } from '../site.tsx';
import type { Shown } from './columns.tsx';

/** Who sees a list, whose entries, and when by the clock of that. */
export interface ListView {
  /** Absent for administrators, who see those of all properties. */
  readonly person?: Person;
  readonly shown: Shown;
  readonly nowMs: number;
}

/** A list of staff: its page, its file, its paging and what is said of an empty one follow from this. */
export interface StaffList<Row> {
  readonly name: ListName;
  /** The field of the query that says where its page begins; `after`, unless its page has several lists. */
  readonly field?: string;
  /** What its file is called, before the property. */
  readonly file: string;
  /** What asks for its file, where its page has several lists. */
  readonly table?: string;
  /** Its texts, in the language of the request that is answered. */
  readonly copy: { readonly heading: string; readonly caption: string; readonly empty: string };
  /** What the caption says of the shown entries besides. */
  sumOf?(rows: readonly Row[]): string;
  key(row: Row): Key;
  select(scope: Scope, nowMs: number, part: Part): Selected<Row>;
  columns(view: ListView): readonly Column<Row>[];
}

type Selected<Row> = Statement & { readonly _: { readonly result: Row[] } };

export interface StaffPage {
  /** The last part of its address, below the console and below `/ops`. */
  readonly path: string;
  /** The tab that it belongs to, where that is not its own. */
  readonly here?: string;
  readonly copy: {
    readonly title: string;
    readonly intro: string | ((values: { readonly days: string }) => string);
  };
  /** Of how many days it is, where its introduction says that. */
  readonly days?: number;
  /** What its address says besides the property, and its links keep. */
  readonly query?: Readonly<Record<string, string>>;
  /** How many entries its file has at most; {@link MOST_IN_FILE} where it does not say. */
  readonly mostInFile?: number;
  readonly lists: readonly [StaffList<unknown>, ...StaffList<unknown>[]];
}

/** How many entries of a list a page shows, and a file has at most. */
const SHOWN = 20;
const MOST_IN_FILE = 1_000;

/** The lists that a request asks for, each with its page; one of them, where it asks for a file. One round trip. */
async function readLists(
  c: AppContext,
  { lists, mostInFile = MOST_IN_FILE }: StaffPage,
  { nowMs, shown }: ListView,
): Promise<{ list: StaffList<unknown>; rows: readonly unknown[]; next: string | null }[]> {
  const database = c.get('database');
  const owner = shown?.id ?? EVERY_PROPERTY;
  const inFile = lists.find(({ table }) => table === c.req.query('table')) ?? lists[0];
  const limit = wantsCsv(c) ? mostInFile : SHOWN;
  const partOf = ({ field = 'after', name }: StaffList<unknown>) =>
    shownPart(name, owner, { limit, cursor: c.req.query(field) });
  const select = (list: StaffList<unknown>) => list.select(shown?.id ?? null, nowMs, partOf(list));
  const [first, ...others] = wantsCsv(c) ? ([inFile] as const) : lists;
  const selected = [select(first), ...others.map(select)] as const;
  const found =
    shown === null
      ? await database.everywhere('d1.console.read', selected)
      : [await database.batch('d1.console.read', selected)];
  return [first, ...others].map((list, at) => {
    const keyOf = (row: unknown) => list.key(row);
    const rows = asOneList(
      found.map((one) => one[at] ?? []),
      keyOf,
    );
    const page = pageOf(rows, limit, keyOf);
    return { list, rows: page.rows, next: cursorAfter(list.name, owner, page) };
  });
}

/** Answers with a page of lists, in the frame of its site, or with one of the lists as a file. */
export async function answerLists(
  c: AppContext,
  listed: StaffPage,
  view: ListView,
  frame: (content: Child) => HtmlEscapedString | Promise<HtmlEscapedString>,
): Promise<Response> {
  const { shown } = view;
  const read = await readLists(c, listed, view);
  if (wantsCsv(c)) {
    const [{ list, rows } = { list: listed.lists[0], rows: [] }] = read;
    return csvAnswer(c, `${list.file}-${shown?.id ?? 'all'}`, list.columns(view), rows);
  }
  const { days, path, query } = listed;
  const { intro: said } = listed.copy;
  const intro = typeof said === 'string' ? said : said({ days: String(days) });
  return page(
    c,
    200,
    frame(
      <>
        <p class="soft">
          {shown ? (
            <>
              <bdi>{shown.name}</bdi>. {words.list.intro({ intro, timeZone: shown.timeZone })}
            </>
          ) : (
            words.list.introOfAll({ intro })
          )}
        </p>
        {read.map(({ list, next, rows }) => (
          <ListSection view={view} list={list} rows={rows}>
            {next !== null && (
              <LinkLine
                href={listPath(shown, path, { ...query, [list.field ?? 'after']: next })}
                text={words.list.more}
              />
            )}
            {rows.length > 0 && (
              <CsvLink
                path={listPath(shown, path, {
                  ...query,
                  ...(list.table !== undefined && { table: list.table }),
                })}
                of={inSentence(list.copy.heading)}
              />
            )}
          </ListSection>
        ))}
      </>,
    ),
  );
}

/** Shows a page of lists of a property, or one of them as a file. `before` and `after` are what else the page has. */
export function showLists(
  request: PropertyRequest,
  listed: StaffPage,
  { before, after }: { readonly before?: Child; readonly after?: Child } = {},
): Promise<Response> {
  const { c, person, property } = request;
  const view = { person, shown: property, nowMs: propertyNow(property) };
  const { here = listed.path } = listed;
  const { title } = listed.copy;
  return answerLists(c, listed, view, (content) =>
    framed(
      request,
      { title, here },
      <>
        {before}
        {content}
        {after}
      </>,
    ),
  );
}

export function ListSection<Row>({
  view,
  list,
  rows,
  children,
}: {
  readonly view: ListView;
  readonly list: StaffList<Row>;
  readonly rows: readonly Row[];
  readonly children?: Child;
}) {
  const { file: id } = list;
  const { caption, empty, heading } = list.copy;
  const sum = list.sumOf?.(rows);
  const said = sum === undefined ? caption : words.list.withSum({ caption, sum });
  const texts = { id, heading, caption: said, empty };
  return (
    <TableSection {...texts} columns={list.columns(view)} rows={rows}>
      {children}
    </TableSection>
  );
}
