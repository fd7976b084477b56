import { money } from '../../../desk/format.ts';
import { partCopy } from '../../../desk/listSentences.ts';
import { words } from '../../../desk/words.ts';
import { lackingMinor } from '../../../records/plans/rules/follow.ts';
import { termOf } from '../../../records/plans/rules/parts.ts';
import type { PlanPart } from '../../../schema/planTables.ts';
import { type Column, Instant, TableSection } from '../../web/table.tsx';
import { useFile } from '../site.tsx';

const { plan: copy } = words.booking;

/** The booking's payment plan: its parts, in the order in which they are charged. */
export function Plan() {
  const { plan, state } = useFile();
  if (plan === null) return null;
  const { timeZone } = state.property;
  const amount = (minor: number) => money(minor, plan.currency);
  const columns: Column<PlanPart>[] = [
    { name: copy.part, text: ({ id }) => partCopy(termOf(plan.spec, id).label, id) },
    { name: copy.dueAt, cell: ({ dueAtMs }) => <Instant atMs={dueAtMs} timeZone={timeZone} /> },
    { name: copy.amount, isNumber: true, text: ({ amountMinor }) => amount(amountMinor) },
    {
      name: copy.lacks,
      isMore: true,
      isNumber: true,
      text: (part) => amount(Math.max(0, lackingMinor(part))),
    },
    { name: copy.state, text: ({ status }) => copy.states[status] },
  ];
  const heading = copy.heading({ status: copy.statuses[plan.status] });
  return (
    <TableSection
      id="plan"
      heading={heading}
      caption={copy.caption}
      empty={copy.empty}
      columns={columns}
      rows={plan.parts}
    />
  );
}
