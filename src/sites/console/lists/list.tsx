import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Scope } from '../../../desk/listStatements.ts';
import { inSentence, words } from '../../../desk/words.ts';
import type { AppContext } from '../../../http/context.ts';
import { cursorAfter, EVERY_PROPERTY, type ListName, shownPart } from '../../../http/listFields.ts';
import type { Statement } from '../../../platform/db/database.ts';
import { asOneList, type Key, type Page, type Part, pageOf } from '../../../platform/db/page.ts';
import { othersTurn } from '../../../platform/othersTurn.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import type { Person } from '../../../records/staff/rules.ts';
import { LinkLine, page } from '../../web/page.tsx';
import {
  type Column,
  CsvLink,
  csvAnswer,
  type PagePart,
  Parts,
  TableSection,
  wantsCsv,
} from '../../web/table.tsx';
import { listPath } from '../paths.ts';
import { framed, type PropertyRequest, type Viewed } from '../site.tsx';
import type { Shown } from './columns.tsx';

/** Who sees a list, whose entries, and when by the clock of that. */
export interface ListView {
  /** Absent for administrators, who see those of all properties. */
  readonly person?: Person;
  readonly shown: Shown;
  readonly nowMs: number;
}

/** What a list of staff shows: its page, its file, its paging and what is said of an empty one follow from this. */
export interface ListOf<Row> {
  readonly name: ListName;
  /** The field of the query that says where its page begins; `after`, unless its page has several lists. */
  readonly field?: string;
  /** Whether only a property has it: of all, it would be read whole. */
  readonly isOfOne?: boolean;
  /** What its file is called, before the property. */
  readonly file: string;
  /** What asks for its file, where its page has several lists. */
  readonly table?: string;
  /** How many entries a page and a file have at most; {@link SHOWN} and {@link MOST_IN_FILE} where it does not say. */
  readonly shown?: number;
  readonly mostInFile?: number;
  /** Its texts, in the language of the request that is answered. */
  readonly copy: ListCopy;
  /** What the caption says of the shown entries besides. */
  sumOf?(rows: readonly Row[]): string;
  key(row: Row): Key;
  columns(view: ListView): readonly Column<Row>[];
}

interface ListCopy {
  readonly heading: string;
  readonly caption: string;
  readonly empty: string;
  /** What leads to its next page, back to its first one, and to its file, where that is not usual. */
  readonly more?: string;
  readonly back?: string;
  readonly file?: string;
}

/** A list that one statement reads. */
export interface StaffList<Row> extends ListOf<Row> {
  select(scope: Scope, nowMs: number, part: Part): Selected<Row>;
  /** What its file has, where that is more than its page. */
  selectAll?(scope: Scope, nowMs: number, part: Part): Selected<Row>;
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
  readonly lists: readonly [StaffList<unknown>, ...StaffList<unknown>[]];
}

/** How many entries of a list a page shows, and a file has at most. */
const SHOWN = 20;
const MOST_IN_FILE = 1_000;

/** How many entries of a file are read at once, and how long it waits then: whoever else calls gets their turn. */
const AT_ONCE = 50;
const PAUSE_MS = 10;

/** The page that a list is on: its address below the site, without the property. */
interface Place {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Whose entries they are; the property's unless it says so. */
  readonly owner?: string;
}

/** A list as a request asks for it: which part of it, and what the answer has of that, as a file or on a page. */
export function askedOf<Row>(c: AppContext, list: ListOf<Row>, view: ListView, place: Place) {
  const { copy, field, file, mostInFile = MOST_IN_FILE, name, shown = SHOWN, table } = list;
  const { owner = view.shown?.id ?? EVERY_PROPERTY, path, query } = place;
  const cursor = c.req.query(field ?? 'after');
  const part = shownPart(name, owner, { limit: wantsCsv(c) ? mostInFile : shown, cursor });
  const anchor = field === undefined ? '' : `#${file}`;
  const to = (more: Readonly<Record<string, string>>) =>
    listPath(view.shown, path, { ...query, ...more });
  return {
    part,
    empty: copy.empty,
    file: ({ rows }: Pick<Page<Row>, 'rows'>): Response =>
      csvAnswer(c, `${file}-${view.shown?.id ?? 'all'}`, list.columns(view), rows),
    section: (found: Page<Row>, children?: Child) => {
      const next = cursorAfter(name, owner, found);
      const { back = words.list.back, file: named = inSentence(copy.heading) } = copy;
      const { more = words.list.more } = copy;
      return (
        <ListSection view={view} list={list} rows={found.rows}>
          {children}
          {part.after !== undefined && <LinkLine href={to({}) + anchor} text={back} />}
          {next !== null && (
            <LinkLine href={to({ [field ?? 'after']: next }) + anchor} text={more} />
          )}
          {found.rows.length > 0 && (
            <CsvLink path={to(table === undefined ? {} : { table })} of={named} />
          )}
        </ListSection>
      );
    },
  };
}

interface ListPart {
  readonly list: StaffList<unknown>;
  readonly part: Part;
}

/** Reads a part of each list. One round trip. */
async function readParts(
  c: AppContext,
  { nowMs, shown }: ListView,
  parts: readonly [ListPart, ...ListPart[]],
): Promise<Page<unknown>[]> {
  const database = c.get('database');
  const select = ({ list, part }: ListPart) => list.select(shown?.id ?? null, nowMs, part);
  const [first, ...others] = parts;
  const selected = [select(first), ...others.map(select)] as const;
  const found =
    shown === null
      ? await database.everywhere('d1.console.read', selected)
      : [await database.batch('d1.console.read', selected)];
  return parts.map(({ list, part }, at) => {
    const keyOf = (row: unknown) => list.key(row);
    const rows = asOneList(
      found.map((one) => one[at] ?? []),
      keyOf,
    );
    return pageOf(rows, part.limit, keyOf);
  });
}

async function readLists(c: AppContext, { lists, path, query = {} }: StaffPage, view: ListView) {
  const ask = (list: StaffList<unknown>) => ({
    list,
    ...askedOf(c, list, view, { path, query }),
  });
  const [first, ...others] = lists;
  const also = others.filter(({ isOfOne }) => view.shown !== null || !isOfOne);
  const asked = [ask(first), ...also.map(ask)] as const;
  const pages = await readParts(c, view, asked);
  return asked.map((one, at) => ({ ...one, found: pages[at] ?? NO_ROWS }));
}

const NO_ROWS: Page<unknown> = { rows: [], next: null };

type Read = Awaited<ReturnType<typeof readLists>>[number];

/** One of several lists of a page. Past its first entries it leads back to them. */
function partOf({ empty, found, part, section }: Read): PagePart {
  const isEmpty = found.rows.length === 0 && part.after === undefined;
  return { isEmpty, empty, content: section(found) };
}

/** Answers with one of a page's lists as a file, which is read part by part. */
async function answerFile(
  c: AppContext,
  { lists, path, query }: StaffPage,
  view: ListView,
): Promise<Response> {
  const inFile = lists.find(({ table }) => table === c.req.query('table')) ?? lists[0];
  const select: typeof inFile.select = (...of) => inFile.selectAll?.(...of) ?? inFile.select(...of);
  const list = { ...inFile, select };
  const { file, part } = askedOf(c, list, view, { path, query });
  const rows: unknown[] = [];
  for (let { after } = part; ; await othersTurn(PAUSE_MS)) {
    const limit = Math.min(AT_ONCE, part.limit - rows.length);
    const [page = NO_ROWS] = await readParts(c, view, [{ list, part: { limit, after } }]);
    rows.push(...page.rows);
    after = page.next ?? undefined;
    if (after === undefined || rows.length >= part.limit) return file({ rows });
  }
}

/** Answers with a page of lists, in the frame of its site, or with one of the lists as a file. */
export async function answerLists(
  c: AppContext,
  listed: StaffPage,
  view: ListView,
  frame: (content: Child) => HtmlEscapedString | Promise<HtmlEscapedString>,
  status = 200,
): Promise<Response> {
  if (wantsCsv(c)) return answerFile(c, listed, view);
  const { shown } = view;
  const read = await readLists(c, listed, view);
  const { intro: said } = listed.copy;
  const intro = typeof said === 'string' ? said : said({ days: String(listed.days) });
  return page(
    c,
    status,
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
        {read.length === 1 ? (
          read.map(({ found, section }) => section(found))
        ) : (
          <Parts parts={read.map(partOf)} />
        )}
      </>,
    ),
  );
}

/** How the person of a request sees the lists of their property. */
export function viewOf({ person, property }: Viewed): ListView {
  return { person, shown: property, nowMs: propertyNow(property) };
}

/** What a page of lists has before and after them, and its HTTP status; 200 unless it says so. */
interface Around {
  readonly before?: Child;
  readonly after?: Child;
  readonly status?: number | undefined;
}

/** Shows a page of lists of a property, or one of them as a file. */
export function showLists(
  request: PropertyRequest,
  listed: StaffPage,
  { before, after, status }: Around = {},
): Promise<Response> {
  const { here = listed.path } = listed;
  const { title } = listed.copy;
  const frame = (content: Child) =>
    framed(
      request,
      { title, here },
      <>
        {before}
        {content}
        {after}
      </>,
    );
  return answerLists(request.c, listed, viewOf(request), frame, status);
}

export function ListSection<Row>(section: {
  readonly view: ListView;
  readonly list: ListOf<Row>;
  readonly rows: readonly Row[];
  readonly children?: Child;
}) {
  const { view, list, rows, children } = section;
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
