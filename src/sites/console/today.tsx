import type { Child } from 'hono/jsx';
import { localDate } from '../../core/time.ts';
import type { Counts } from '../../desk/counts.ts';
import { money } from '../../desk/format.ts';
import { added, linesOf } from '../../desk/reports/rules.ts';
import { MOST_CHARGES, readToday, type Today } from '../../desk/today.ts';
import { words } from '../../desk/words.ts';
import { hasRight } from '../../records/staff/rules.ts';
import { Fact } from '../web/forms.tsx';
import { LinkLine, page, Section } from '../web/page.tsx';
import { EmptyNote, TableSection } from '../web/table.tsx';
import {
  failedPayments,
  failedRefunds,
  failingCards,
  unansweredPayments,
  unansweredRefunds,
  unsettled,
} from './lists/attention.tsx';
import { differences } from './lists/differences.tsx';
import { ListSection, type ListView, type StaffList } from './lists/list.tsx';
import { coming, disputes, plannedParts } from './lists/payments.tsx';
import { owingCopy, stayColumns } from './lists/stays.tsx';
import { pathOf } from './paths.ts';
import { showFound } from './search.tsx';
import { countCopy, framed, type PropertyRequest, useViewed } from './site.tsx';

const { today: copy } = words;

/** A property's first page: its day, or what was found. */
export async function showProperty(request: PropertyRequest): Promise<Response> {
  const { c, person, property } = request;
  const typed = c.req.query('q') ?? '';
  if (typed.trim() !== '') return showFound(request, typed);
  const today = await readToday(c.get('database'), property);
  const view = { person, shown: property, nowMs: today.nowMs };
  const content = (
    <>
      <Needs view={view} today={today} />
      <TableSection
        {...copy.arrivals}
        id="arrivals"
        caption={owingCopy(today.arrivals)}
        columns={stayColumns(property.id)}
        rows={today.arrivals}
      />
      <ListSection view={view} list={{ ...coming, copy: copy.charged }} rows={today.charges}>
        {today.charges.length === MOST_CHARGES && (
          <LinkLine href={pathOf('coming', { property: property.id })} text={copy.all} />
        )}
      </ListSection>
      {today.planned.length > 0 && (
        <ListSection view={view} list={plannedParts} rows={today.planned} />
      )}
      {hasRight(person.role, 'seeReports') && <Takings taken={today.taken} />}
    </>
  );
  const date = localDate(today.nowMs, property.timeZone);
  const span = { from: date, to: date };
  return page(c, 200, framed(request, { title: property.name, here: 'property', span }, content));
}

/** What needs somebody: the first entries of each list that has any, with the way to all. */
function Needs({ view, today }: { readonly view: ListView; readonly today: Today }) {
  const { counts, property } = useViewed();
  const part = <Row,>(
    list: StaffList<Row>,
    rows: readonly Row[],
    count: keyof Counts,
    page = 'failed',
  ): Child => {
    if (rows.length === 0) return false;
    const { caption, empty, heading } = list.copy;
    const number = countCopy(Math.max(rows.length, counts?.[count] ?? 0)) ?? '';
    const said = { caption, empty, heading: copy.counted({ heading, number }) };
    return (
      <ListSection view={view} list={{ ...list, copy: said }} rows={rows}>
        <LinkLine href={pathOf(page, { property: property.id })} text={copy.all} />
      </ListSection>
    );
  };
  const parts = [
    part(unansweredPayments, today.unanswered, 'unanswered'),
    part(unansweredRefunds, today.unansweredRefunds, 'unansweredRefunds'),
    part(failedPayments, today.failed, 'failedPayments'),
    part(failedRefunds, today.failedRefunds, 'failedRefunds'),
    part(unsettled, today.unsettled, 'unsettled'),
    part(failingCards, today.cards, 'cards'),
    part(disputes, today.disputes, 'disputes', 'disputes'),
    part(differences, today.differences, 'differences', 'differences'),
  ];
  return parts.some(Boolean) ? (
    parts
  ) : (
    <Section id="needs" heading={copy.needs}>
      <EmptyNote text={copy.nothing} />
    </Section>
  );
}

function Takings({ taken }: Pick<Today, 'taken'>) {
  const { currency } = useViewed().property;
  const sums = { moved: taken, untaken: [], acquirerFees: [], cancellations: [] };
  const [today, month] = linesOf(sums, currency, 2);
  const said = (line = added([])) => (
    <>
      {money(line.takenMinor, currency)}
      {line.refundedMinor !== 0 &&
        `, ${copy.takings.refunded({ amount: money(line.refundedMinor, currency) })}`}
    </>
  );
  return (
    <Section id="takings" heading={copy.takings.heading}>
      <dl>
        <Fact name={copy.takings.today}>{said(today)}</Fact>
        <Fact name={copy.takings.month}>{said(month)}</Fact>
      </dl>
    </Section>
  );
}
