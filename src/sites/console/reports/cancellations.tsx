import { days, figures } from '../../../desk/format.ts';
import type { Report } from '../../../desk/reports/report.ts';
import { words } from '../../../desk/words.ts';
import { Section } from '../../web/page.tsx';
import { type Column, CsvLink, Records } from '../../web/table.tsx';
import { amountIn, currencyOfAll, more, unlessZero } from '../lists/columns.tsx';
import { reportPath } from '../paths.ts';
import { useViewed } from '../site.tsx';

const { report } = words;
const { cancellations: copy } = report;

type Cancelled = Report['cancellations'][number];
type Amount = 'keptMinor' | 'broughtMinor' | 'givenMinor' | 'lostMinor';

/** What the cancellations of some days came to, by their reason; nothing where there were none. */
export function Cancellations({
  report: { cancellations, currency, span },
}: Readonly<{ report: Report }>) {
  const { id } = useViewed().property;
  if (cancellations.length === 0) return null;
  return (
    <Section id="cancellations" heading={copy.heading}>
      <Records
        caption={copy.caption({ currency })}
        columns={cancellationColumns(currency)}
        rows={cancellations}
      />
      <CsvLink path={reportPath(id, span, { currency, table: 'cancellations' })} of={copy.file} />
    </Section>
  );
}

export function cancellationColumns(currency: string): Column<Cancelled>[] {
  const amount = (name: string, member: Amount) =>
    amountIn<Cancelled>(currency, name, (row) => row[member], unlessZero(figures));
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
    more(amount(copy.charged, 'broughtMinor')),
    amount(copy.refunded, 'givenMinor'),
    more(amount(copy.uncollected, 'lostMinor')),
    currencyOfAll(currency),
  ];
}
