import { sumOf } from '../../../core/sum.ts';
import { localDate } from '../../../core/time.ts';
import { money } from '../../../desk/format.ts';
import {
  type Age,
  type OwedStay,
  type OwedSums,
  readOwedSums,
  selectOwed,
} from '../../../desk/reports/owing.ts';
import { words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { Notice, Section } from '../../web/page.tsx';
import { Records } from '../../web/table.tsx';
import { amountIn } from '../lists/columns.tsx';
import { type StaffList, type StaffPage, showLists } from '../lists/list.tsx';
import { stayColumns } from '../lists/stays.tsx';
import { type PropertyRequest, useViewed, Ways } from '../site.tsx';

const { outstanding: copy } = words;

const owed: StaffList<OwedStay> = {
  copy,
  name: 'owed',
  file: 'outstanding',
  // More than any hotel has of stays that owe something.
  mostInFile: 100_000,
  key: ({ arrival, reference }) => [arrival, reference],
  select: (scope, _nowMs, part) => selectOwed(scope, part),
  columns: ({ shown }) => stayColumns(shown?.id ?? ''),
};

const outstandingPage: StaffPage = {
  copy,
  path: 'outstanding',
  here: 'report',
  lists: [owed],
};

/** Shows every stay that owes something, with the sums by arrival, or all of them as a file. */
export async function showOutstanding(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const today = localDate(propertyNow(property), property.timeZone);
  const { isComplete, sums } = await readOwedSums(c.get('database'), property.id, today);
  const before = (
    <>
      <ReportTabs current="outstanding" />
      {!isComplete && <Notice kind="info" text={copy.incomplete} />}
      {sums.length > 0 && <Ages sums={sums} />}
    </>
  );
  return showLists(request, outstandingPage, { before });
}

const AGES = ['overdue', 'now', 'week', 'month', 'later'] as const satisfies Age[];

/** What is owed in all, and by arrival. */
function Ages({ sums }: { readonly sums: OwedSums }) {
  const { currency } = useViewed().property;
  const heading = copy.sum({ amount: money(sumOf(sums, 'dueMinor'), currency) });
  return (
    <Section id="sums" heading={heading}>
      <Records
        caption={copy.byArrival}
        columns={[
          { name: copy.arrival, text: ({ age }) => copy.ages[age] },
          { name: copy.stays, isNumber: true, text: ({ number }) => number },
          amountIn<OwedSums[number]>(currency, copy.due, ({ dueMinor }) => dueMinor),
        ]}
        rows={AGES.flatMap((age) => sums.filter((sum) => sum.age === age))}
      />
    </Section>
  );
}

/** The two reports: what was taken, and what is still owed. */
export function ReportTabs({ current }: { readonly current: keyof typeof copy.ways }) {
  return <Ways name={copy.choose} ways={copy.ways} current={current} />;
}
