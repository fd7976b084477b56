import { plainMoney } from '../../../core/format.ts';
import { day } from '../../../desk/format.ts';
import { importBankFile, selectUnmatchedLines } from '../../../desk/ledgers.ts';
import { may } from '../../../desk/rights.ts';
import { words } from '../../../desk/words.ts';
import { hasRight } from '../../../records/staff/rules.ts';
import type { BankLineRow } from '../../../schema/disbursementTables.ts';
import type { FileForm } from '../../web/fileForm.ts';
import { type Form, InputField } from '../../web/forms.tsx';
import { Notice, Section } from '../../web/page.tsx';
import { repeatable } from '../../web/repeatable.ts';
import { type Filled, issuesOf, statusWith } from '../filled.ts';
import { amountColumn, currencyColumn, typedColumn } from '../lists/columns.tsx';
import { type StaffList, type StaffPage, showLists } from '../lists/list.tsx';
import { PayoutTabs } from '../lists/payouts.tsx';
import { pathOf } from '../paths.ts';
import { type PropertyRequest, refusedPage } from '../site.tsx';
import { ledgerWork, Refused } from './fileForms.tsx';

const { bankStatement: copy, columns: names } = words;

/** The headers that a bank's CSV file has if nobody names others. */
const USUAL = { date: 'Date', amount: 'Amount', description: 'Description', dateFormat: '' };

const unmatched: StaffList<BankLineRow> = {
  copy,
  name: 'bankLines',
  file: 'bank-lines',
  key: ({ date, id }) => [date, id],
  select: (scope, _nowMs, part) => selectUnmatchedLines(scope, part),
  columns: () => [
    { name: copy.day, text: ({ date }) => date, cell: ({ date }) => day(date) },
    typedColumn(names.description, ({ description }) => description),
    currencyColumn,
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    { name: copy.what, cell: (line) => <a href={recognisePath(line)}>{copy.find}</a> },
  ],
};

const statementPage: StaffPage = { copy, path: 'bank-statement', lists: [unmatched] };

function recognisePath({ amountMinor, currency, date, propertyId }: BankLineRow): string {
  const amount = plainMoney(amountMinor, currency);
  return pathOf('bank-line', { property: propertyId, amount, day: date, currency });
}

/** Shows lines of the bank that are no known payout, and takes files with more (interface: Console). */
export function showBankStatement(request: PropertyRequest): Promise<Response> {
  return statementWith(request, { typed: request.c.req.query(), issues: {} });
}

function statementWith(request: PropertyRequest, filled: Filled): Promise<Response> {
  const { c, person, property } = request;
  const { issues } = filled;
  return showLists(request, statementPage, {
    status: statusWith(issues),
    before: (
      <>
        <PayoutTabs current="bank-statement" />
        <Refused title={copy.refused} issues={issues} />
        <Done counts={c.req.query()} />
      </>
    ),
    after: hasRight(person.role, 'acceptDifferences') && (
      <ImportForm property={property.id} filled={filled} />
    ),
  });
}

/** Says what became of the lines of a file. */
function Done({ counts }: { readonly counts: Form }) {
  const { lines, matched = '0', repeated = '0', unmatched: others = '0' } = counts;
  const all = [lines, matched, others, repeated].map(Number);
  if (lines === undefined || !all.every((count) => Number.isSafeInteger(count))) return null;
  const text = copy.imported({ lines: Number(lines), matched, unmatched: others, repeated });
  return <Notice kind="good" text={text} />;
}

function ImportForm({
  property,
  filled: { issues, typed },
}: Readonly<{ property: string; filled: Filled }>) {
  const field = (id: keyof typeof USUAL) => (
    <InputField
      id={id}
      label={copy[id]}
      value={repeatable(typed[id] ?? USUAL[id])}
      maxlength={100}
      error={issues[id]}
    />
  );
  return (
    <Section id="import" heading={copy.import}>
      <form
        method="post"
        action={pathOf('bank-statement', { property })}
        enctype="multipart/form-data"
        class="card"
      >
        <InputField id="file" label={copy.upload} type="file" required error={issues['file']} />
        <fieldset>
          <legend>{copy.csv}</legend>
          {field('date')}
          {field('amount')}
          {field('description')}
          {field('dateFormat')}
        </fieldset>
        <button type="submit">{copy.send}</button>
      </form>
    </Section>
  );
}

/** Imports a file that was sent, and shows what became of its lines. What was typed stays in the form. */
export async function importFile(
  request: PropertyRequest,
  { fields: typed, text }: FileForm,
): Promise<Response> {
  const { c, person, property } = request;
  const allowed = may(person, property, 'acceptDifferences');
  if (!allowed.ok) return refusedPage(c, allowed.error);
  if (text === '') return statementWith(request, { typed, issues: { file: copy.noFile } });
  const named = columnsIn(typed);
  const imported = await importBankFile(ledgerWork(request), text, named);
  if (!imported.ok) {
    return statementWith(request, {
      typed,
      issues: issuesOf(imported.error, ['dateFormat', 'file']),
    });
  }
  const counts = Object.entries(imported.value).map(([name, count]) => [name, String(count)]);
  const query = { property: property.id, ...named, ...Object.fromEntries(counts) };
  return c.redirect(pathOf('bank-statement', query), 303);
}

/** The columns that are typed, or else the usual ones. */
function columnsIn({ amount, date, dateFormat = '', description }: Form) {
  return {
    date: date || USUAL.date,
    amount: amount || USUAL.amount,
    description: description || USUAL.description,
    dateFormat: dateFormat.trim(),
  };
}
