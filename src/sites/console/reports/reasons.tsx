import { figures } from '../../../desk/format.ts';
import type { Report } from '../../../desk/reports/report.ts';
import type { Reason } from '../../../desk/reports/rules.ts';
import { declineCopy, words } from '../../../desk/words.ts';
import { Section } from '../../web/page.tsx';
import { type Column, CsvLink, Records } from '../../web/table.tsx';
import { amountIn, currencyOfAll } from '../lists/columns.tsx';
import { reportPath } from '../paths.ts';
import { useViewed } from '../site.tsx';
import { figurePath } from './figurePage.tsx';

const { columns: names, report: copy } = words;

/** Why payments were not taken. */
export function Reasons({ report }: { readonly report: Report }) {
  const { currency, reasons, span } = report;
  const { property } = useViewed();
  if (reasons.length === 0) return null;
  return (
    <Section id="reasons" heading={copy.reasons.heading}>
      <Records
        caption={copy.reasons.caption({ currency })}
        columns={reasonColumns(report, property.id)}
        rows={reasons}
      />
      <CsvLink
        path={reportPath(property.id, span, { currency, table: 'reasons' })}
        of={copy.reasons.file}
      />
    </Section>
  );
}

/** The columns of why payments were not taken, on the page of some days and in a file. */
export function reasonColumns({ currency, span }: Report, property: string): Column<Reason>[] {
  const numberOf = ({ declineCode, number, status }: Reason) => {
    const reason = status === 'Declined' ? { declineCode: declineCode ?? '' } : {};
    const figure = { of: status, currency, ...reason };
    return <a href={figurePath(property, span, figure)}>{number}</a>;
  };
  return [
    { name: copy.reasons.reason, text: reasonCopy },
    {
      name: copy.reasons.outcome,
      isMore: true,
      text: ({ status }) => copy[status === 'Declined' ? 'declined' : 'failed'],
    },
    { name: copy.reasons.code, isMore: true, text: ({ declineCode }) => declineCode },
    {
      name: copy.payments,
      isMore: true,
      isNumber: true,
      text: ({ number }) => number,
      cell: numberOf,
    },
    amountIn(currency, names.amount, ({ amountMinor }) => amountMinor, figures),
    currencyOfAll(currency),
  ];
}

function reasonCopy({ declineCode, status }: Reason): string {
  if (status === 'Failed') return copy.reasons.failed;
  const reason = declineCopy(declineCode);
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
