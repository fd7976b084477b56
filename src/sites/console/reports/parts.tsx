import { capitalisedBrand } from '../../../core/cardNumbers.ts';
import { wordFor } from '../../../core/words/staff.ts';
import { figures } from '../../../desk/format.ts';
import type { Report } from '../../../desk/reports/report.ts';
import type { Division, Part } from '../../../desk/reports/rules.ts';
import { whoCopy } from '../../../desk/timeline.ts';
import { words } from '../../../desk/words.ts';
import { Section } from '../../web/page.tsx';
import { type Column, CsvLink, Records } from '../../web/table.tsx';
import { amountIn, currencyOfAll, typedColumn } from '../lists/columns.tsx';
import { reportPath } from '../paths.ts';
import { useViewed } from '../site.tsx';
import { agencyCopy, figurePath } from './figurePage.tsx';

const { columns: names, report } = words;
const { parts: copy } = report;

type PartOf = Part & { readonly by: Division };

const DIVISIONS: readonly Division[] = ['brand', 'agency', 'purpose', 'actor'];

/** The parts by which something was taken or refunded, division after division. */
export function partsIn(parts: Report['parts']): PartOf[] {
  return DIVISIONS.flatMap((by) => parts[by].map((part) => ({ ...part, by })));
}

/** What was taken by the brand of the cards, by whose they are, by purpose, and by who took it. */
export function Parts({ report: { currency, parts, span } }: { readonly report: Report }) {
  const { id } = useViewed().property;
  const divided = Map.groupBy(partsIn(parts), ({ by }) => by);
  if (divided.size === 0) return null;
  return (
    <Section id="parts" heading={copy.heading}>
      <div class="tables">
        {[...divided].map(([by, rows]) => (
          <Records
            caption={copy.by[by]}
            columns={partColumns(id, { currency, span }, copy.names[by])}
            rows={rows}
          />
        ))}
      </div>
      <CsvLink path={reportPath(id, span, { currency, table: 'parts' })} of={copy.file} />
    </Section>
  );
}

/** The columns of parts, on their page and in a file. `name` says what they are. */
export function partColumns(
  property: string,
  { currency, span }: Pick<Report, 'currency' | 'span'>,
  name: string = names.what,
): Column<PartOf>[] {
  const linked = (of: 'taken' | 'refunded', minorOf: (part: Part) => number): Column<PartOf> => ({
    ...amountIn(currency, report[of], minorOf),
    cell: (part) => {
      const amount = figures(minorOf(part), currency);
      if (minorOf(part) === 0) return amount;
      const figure = { of, currency, [part.by]: part.of ?? '' };
      return <a href={figurePath(property, span, figure)}>{amount}</a>;
    },
  });
  return [
    { name: copy.division, isForFiles: true, text: ({ by }) => copy.by[by] },
    typedColumn(name, called),
    { name: report.payments, isMore: true, isNumber: true, text: ({ taken }) => taken },
    linked('taken', ({ takenMinor }) => takenMinor),
    linked('refunded', ({ refundedMinor }) => refundedMinor),
    currencyOfAll(currency),
  ];
}

function called({ by, name, of }: PartOf): string {
  switch (by) {
    case 'brand':
      return of === null ? copy.noCard : capitalisedBrand(of);
    case 'agency':
      return agencyCopy(of);
    case 'purpose':
      return wordFor(words.coming.purposes, of ?? '') ?? '';
    case 'actor':
      return whoCopy({ actor: of ?? '', actorName: name });
  }
}
