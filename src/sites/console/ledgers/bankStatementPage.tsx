import { type Failure, failure } from '../../../core/failure.ts';
import { plainMoney } from '../../../core/format.ts';
import { day } from '../../../desk/format.ts';
import { importBankFile, selectUnmatchedLines } from '../../../desk/ledgers.ts';
import { faultsCopy } from '../../../desk/refusals.ts';
import { words } from '../../../desk/words.ts';
import { statusOf } from '../../../http/problem.ts';
import { hasRight } from '../../../records/staff/rules.ts';
import type { BankLineRow } from '../../../schema/disbursementTables.ts';
import type { FileForm } from '../../web/fileForm.ts';
import { InputField } from '../../web/forms.tsx';
import { Notice, Section } from '../../web/page.tsx';
import { consoleSite } from '../../web/staffSite.tsx';
import { amountColumn, currencyColumn, typedColumn } from '../lists/columns.tsx';
import { type StaffList, type StaffPage, showLists } from '../lists/list.tsx';
import { PayoutTabs } from '../lists/payouts.tsx';
import { pathOf } from '../paths.ts';
import type { PropertyRequest } from '../site.tsx';

const { bankStatement: copy, columns: names } = words;

/** The headers that a bank's CSV file has if nobody names others. */
const USUAL = { date: 'Date', amount: 'Amount', description: 'Description' };

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
  const { c, person, property } = request;
  const { lines, matched, repeated, unmatched: others } = c.req.query();
  const counts = [lines, matched, others, repeated].map(Number);
  const [read = 0, known = 0, left = 0, again = 0] = counts;
  const isDone = lines !== undefined && counts.every((count) => Number.isSafeInteger(count));
  return showLists(request, statementPage, {
    before: (
      <>
        <PayoutTabs current="bank-statement" />
        {isDone && (
          <Notice
            kind="good"
            text={copy.imported({
              lines: read,
              matched: String(known),
              unmatched: String(left),
              repeated: String(again),
            })}
          />
        )}
      </>
    ),
    after: hasRight(person.role, 'acceptDifferences') && <ImportForm property={property.id} />,
  });
}

function ImportForm({ property }: { readonly property: string }) {
  return (
    <Section id="import" heading={copy.import}>
      <form
        method="post"
        action={pathOf('bank-statement', { property })}
        enctype="multipart/form-data"
        class="card"
      >
        <InputField id="file" label={copy.upload} type="file" required />
        <fieldset>
          <legend>{copy.csv}</legend>
          <InputField id="date" label={copy.date} value={USUAL.date} />
          <InputField id="amount" label={copy.amount} value={USUAL.amount} />
          <InputField id="description" label={copy.description} value={USUAL.description} />
          <InputField id="dateFormat" label={copy.dateFormat} maxlength={20} />
        </fieldset>
        <button type="submit">{copy.send}</button>
      </form>
    </Section>
  );
}

/** Imports a file that was sent, and shows what became of its lines. */
export async function importFile(
  request: PropertyRequest,
  { fields, text }: FileForm,
): Promise<Response> {
  const { c, property } = request;
  if (text === '') {
    return refusedFile(request, copy.refused, failure('validation_failed', copy.noFile));
  }
  const { amount, date, dateFormat = '', description } = fields;
  const imported = await importBankFile(ledgerWork(request), text, {
    date: date || USUAL.date,
    amount: amount || USUAL.amount,
    description: description || USUAL.description,
    dateFormat,
  });
  if (!imported.ok) return refusedFile(request, copy.refused, imported.error);
  const counts = Object.entries(imported.value).map(([name, count]) => [name, String(count)]);
  const query = { property: property.id, ...Object.fromEntries(counts) };
  return c.redirect(pathOf('bank-statement', query), 303);
}

/** Who is at work with a property's ledgers, and on whose request. */
export function ledgerWork({ c, person, property }: PropertyRequest) {
  const { database, requestId, trace } = c.var;
  const { env } = c;
  return { env, bucket: env.EXPORTS, database, trace, person, property, requestId };
}

/** Says what is wrong with a file that was sent. */
export function refusedFile(
  { c }: PropertyRequest,
  title: string,
  why: Failure,
): Promise<Response> {
  return consoleSite.message(c, statusOf(why.code), title, faultsCopy(why));
}
