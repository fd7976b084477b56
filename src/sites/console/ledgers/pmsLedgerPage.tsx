import type { Child } from 'hono/jsx';
import { plainMoney } from '../../../core/format.ts';
import { parseIsoDate } from '../../../core/time.ts';
import { instant } from '../../../desk/format.ts';
import {
  compareLedgerFile,
  keyOfLine,
  linesOf,
  type Numbered,
  readLedgerReport,
  repairFromDesk,
  type ShownReport,
} from '../../../desk/ledgers.ts';
import { may } from '../../../desk/rights.ts';
import { words } from '../../../desk/words.ts';
import type { LedgerLine } from '../../../pms/ledger/rules/compare.ts';
import { notifyAfterChange } from '../../../pms/outbox/stub.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import type { FileForm } from '../../web/fileForm.ts';
import { ButtonForm, Fact, type Form, InputField } from '../../web/forms.tsx';
import { Notice, page, Section } from '../../web/page.tsx';
import { repeatable } from '../../web/repeatable.ts';
import { type Column, wantsCsv } from '../../web/table.tsx';
import type { FormIssues } from '../actions/readAction.ts';
import { type Filled, issuesOf, statusWith, UNTYPED } from '../filled.ts';
import { amountIn, BookingLink } from '../lists/columns.tsx';
import { askedOf, type ListOf, viewOf } from '../lists/list.tsx';
import { CONSOLE_PATH, pathOf } from '../paths.ts';
import { framed, type PropertyRequest, refusedPage, useViewed } from '../site.tsx';
import { ledgerWork, Refused } from './fileForms.tsx';

const { columns: names, ledger: copy } = words;

/** Shows what a comparison with the PMS's file found, and takes another file (pms: The PMS's ledger). */
export async function showLedger(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const { report: id = '', sent = '', table = '' } = c.req.query();
  const lists = listsOf(property);
  const ask = <Row,>(list: ListOf<Row>) =>
    askedOf(c, list, viewOf(request), { path: 'pms-ledger', query: { report: id }, owner: id });
  const missing = ask(lists.missing);
  const read = id === '' ? null : await readLedgerReport(ledgerWork(request), id, missing.part);
  if (read && !read.ok) return refusedPage(c, read.error);
  const report = read?.value;
  const pageOfLines = <Line,>(list: ListOf<Numbered<Line>>, lines: readonly Line[] = []) => {
    const { file, part, section } = ask(list);
    const found = linesOf(lines, part);
    return { file: () => file(found), section: section(found) };
  };
  const shown = report && {
    missing: {
      file: () => missing.file(report.missing),
      section: missing.section(report.missing, <Repair report={report} />),
    },
    unknown: pageOfLines(lists.unknown, report.kept.unknown),
    twice: pageOfLines(lists.twice, report.kept.twice),
    different: pageOfLines(lists.different, report.kept.different),
  };
  if (shown && wantsCsv(c)) {
    return (Object.entries(shown).find(([name]) => name === table)?.[1] ?? shown.different).file();
  }
  const isRepaired = /^\d{1,6}$/.test(sent);
  return ledgerWith(
    request,
    UNTYPED,
    <>
      {isRepaired && <Notice kind="good" text={copy.repaired({ count: Number(sent) })} />}
      {report && <Found row={report.row} />}
      {shown && Object.values(shown).map(({ section }) => section)}
    </>,
  );
}

/** Answers with the form for a file, after what was found or what is wrong with the file that was sent. */
function ledgerWith(request: PropertyRequest, filled: Filled, found?: Child): Promise<Response> {
  const { issues } = filled;
  return page(
    request.c,
    statusWith(issues),
    framed(
      request,
      { title: copy.title, here: 'differences' },
      <>
        <Refused title={copy.refused} issues={issues} />
        {found}
        <p class="soft">{copy.intro}</p>
        <CompareForm {...filled} />
      </>,
    ),
  );
}

function CompareForm({ issues, typed }: Filled) {
  const { property } = useViewed();
  const dayField = (id: 'from' | 'to') => (
    <InputField
      id={id}
      label={copy[id]}
      type="date"
      required
      value={repeatable(typed[id] ?? '')}
      error={issues[id]}
    />
  );
  return (
    <Section id="compare" heading={copy.compare}>
      <form
        method="post"
        action={pathOf('pms-ledger', { property: property.id })}
        enctype="multipart/form-data"
        class="card"
      >
        {dayField('from')}
        {dayField('to')}
        <InputField id="file" label={copy.file} type="file" required error={issues['file']} />
        <button type="submit">{copy.send}</button>
      </form>
    </Section>
  );
}

/** The tables of a report, by the names that ask for their files. */
function listsOf({ currency, id }: PropertyRow) {
  const list = <Line,>(
    name: 'missing' | 'unknown' | 'twice' | 'different',
    [caption, empty]: readonly [string, string],
    columns: readonly Column<Line>[],
  ): ListOf<Numbered<Line>> => ({
    copy: { heading: copy[name], caption, empty },
    name: 'ledgerLines',
    file: `pms-ledger-${name}`,
    field: `${name}After`,
    table: name,
    key: keyOfLine,
    columns: () => columns,
  });
  const lines = lineColumns(id, currency);
  const delivery: Column<Row> = {
    name: copy.delivery,
    text: (row) => (row.delivery ? copy.states[row.delivery] : null),
  };
  const { linesCaption: caption } = copy;
  return {
    missing: list('missing', [copy.missingCaption, copy.noneMissing], [...lines, delivery]),
    unknown: list('unknown', [caption, copy.noneUnknown], lines),
    twice: list('twice', [caption, copy.noneTwice], lines),
    different: list('different', [caption, copy.noneDifferent], differenceColumns(currency)),
  };
}

/** A line, or the message that is missing. */
type Row = LedgerLine & { readonly delivery?: keyof typeof copy.states };

function lineColumns(property: string, currency: string): Column<Row>[] {
  return [
    {
      name: names.booking,
      text: ({ reference }) => reference,
      cell: ({ reference }) => <BookingLink property={property} reference={reference} />,
    },
    { name: names.what, isMore: true, text: ({ type }) => copy.kinds[type] },
    amountIn(currency, names.amount, ({ amountMinor }) => amountMinor),
    { name: names.time, isMore: true, text: ({ processedTime }) => processedTime ?? '' },
    {
      name: copy.transaction,
      isMore: true,
      text: ({ transactionId }) => String(transactionId ?? ''),
    },
  ];
}

type Difference = ShownReport['kept']['different'][number];

function differenceColumns(currency: string): Column<Difference>[] {
  const shown = ({ field }: Difference, value: string | number) =>
    field === 'amountGross' ? plainMoney(Number(value), currency) : String(value);
  return [
    { name: copy.transaction, isMore: true, text: ({ transactionId }) => String(transactionId) },
    { name: copy.field, text: ({ field }) => copy.fields[field] },
    { name: copy.ours, text: (row) => shown(row, row.ours) },
    { name: copy.theirs, text: (row) => shown(row, row.theirs) },
  ];
}

function Found({ row }: Pick<ShownReport, 'row'>) {
  const { property } = useViewed();
  return (
    <Section id="found" heading={copy.found}>
      <dl>
        <Fact name={copy.at}>{instant(row.createdAtMs, property.timeZone)}</Fact>
        <Fact name={copy.matched}>{row.matched}</Fact>
      </dl>
    </Section>
  );
}

/** Sends again all that is missing. */
function Repair({ report: { kept, row } }: { readonly report: ShownReport }) {
  const { property } = useViewed();
  if (kept.missing.length === 0) return null;
  return (
    <ButtonForm
      action={`${CONSOLE_PATH}/pms-ledger-repair`}
      class="row"
      fields={{ property: property.id, report: row.id }}
      text={copy.repair({ count: kept.missing.length })}
    />
  );
}

/** Compares a file that was sent, and leads to what was found. What was typed stays in the form. */
export async function compareFile(
  request: PropertyRequest,
  { fields: typed, text }: FileForm,
): Promise<Response> {
  const { c, person, property } = request;
  const allowed = may(person, property, 'acceptDifferences');
  if (!allowed.ok) return refusedPage(c, allowed.error);
  const refused = (issues: FormIssues) => ledgerWith(request, { typed, issues });
  const from = parseIsoDate(typed['from'] ?? '');
  const to = parseIsoDate(typed['to'] ?? '');
  if (from === null) return refused({ from: copy.noDay });
  if (to === null) return refused({ to: copy.noDay });
  if (text === '') return refused({ file: copy.noFile });
  const made = await compareLedgerFile(ledgerWork(request), { from, to, text });
  if (!made.ok) return refused(issuesOf(made.error, ['from', 'to']));
  return c.redirect(pathOf('pms-ledger', { property: property.id, report: made.value }), 303);
}

/** Sends again what the PMS lacks. */
export async function repair(request: PropertyRequest, form: Form): Promise<Response> {
  const { c, property } = request;
  const report = form['report'] ?? '';
  const repaired = await repairFromDesk(ledgerWork(request), report);
  if (!repaired.ok) return refusedPage(c, repaired.error);
  c.executionCtx.waitUntil(notifyAfterChange(c.env, c.get('trace'), repaired.value));
  const sent = String(repaired.value.count);
  return c.redirect(pathOf('pms-ledger', { property: property.id, report, sent }), 303);
}
