import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Tabs } from '../../web/staffLayout.tsx';
import { bankLinePath, disbursementsPath } from '../paths.ts';

/** The two ways to a payout: the list, and a line of the bank. */
export function PayoutTabs({
  property: { id },
  current,
}: {
  readonly property: PropertyRow;
  readonly current: 'list' | 'bank-line' | null;
}) {
  return (
    <Tabs
      name="Ways to a payout"
      tabs={[
        { name: 'All', href: disbursementsPath(id), isCurrent: current === 'list' },
        {
          name: 'What is this bank line?',
          href: bankLinePath(id),
          isCurrent: current === 'bank-line',
        },
      ]}
    />
  );
}
