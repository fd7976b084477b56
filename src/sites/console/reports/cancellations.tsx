import { days, figures, plainMoney } from '../../../core/format.ts';
import { words } from '../../../desk/words.ts';
import { Section } from '../../web/page.tsx';
import { type Column, CsvLink, Records } from '../../web/table.tsx';
import type { Report } from './report.ts';

const { columns: names, report } = words;
const { cancellations: copy } = report;

type Cancelled = Report['cancellations'][number];
type Amount = 'keptMinor' | 'broughtMinor' | 'givenMinor' | 'lostMinor';

/** What the cancellations of some days came to, by their reason; nothing where there were none. */
export function Cancellations({
  report: { cancellations, currency, path },
}: {
  readonly report: Report;
}) {
  if (cancellations.length === 0) return null;
  return (
    <Section id="cancellations" heading={copy.heading}>
      <Records
        caption={copy.caption({ currency })}
        columns={cancellationColumns(currency)}
        rows={cancellations}
      />
      <CsvLink path={`${path}&currency=${currency}&table=cancellations`} of={copy.file} />
    </Section>
  );
}

/** The columns of cancellations, on the page of a report and in a file. */
export function cancellationColumns(currency: string): Column<Cancelled>[] {
  const amount = (name: string, member: Amount, isMore = false): Column<Cancelled> => ({
    name,
    isMore,
    isNumber: true,
    text: (row) => plainMoney(row[member], currency),
    cell: (row) => (row[member] === 0 ? '' : figures(row[member], currency)),
  });
  return [
    {
      name: report.days,
      fileName: report.day,
      text: ({ span }) => span.from,
      cell: ({ span }) => days(span.from, span.to),
    },
    { name: copy.reason, text: ({ reason }) => copy.reasons[reason] },
    { name: copy.number, isMore: true, isNumber: true, text: ({ number }) => number },
    amount(copy.kept, 'keptMinor'),
    amount(copy.charged, 'broughtMinor', true),
    amount(copy.refunded, 'givenMinor'),
    amount(copy.uncollected, 'lostMinor', true),
    { name: names.currency, isForFiles: true, text: () => currency },
  ];
}
