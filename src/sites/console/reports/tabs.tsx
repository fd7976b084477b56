import type { PropertyRow } from '../../../platform/db/propertyTables.ts';
import { Tabs } from '../../web/staffLayout.tsx';
import { bankLinePath, disbursementsPath, propertyPath, reportPath } from '../paths.ts';

/** The links between the reports of a property, and back to it. */
export function ReportTabs({
  property: { id, name },
  current,
}: {
  readonly property: PropertyRow;
  readonly current: 'report' | 'disbursements' | 'bank-line' | null;
}) {
  return (
    <Tabs
      name="Reports"
      tabs={[
        { name, href: propertyPath(id), isCurrent: false },
        { name: 'Report', href: reportPath(id), isCurrent: current === 'report' },
        {
          name: 'Disbursements',
          href: disbursementsPath(id),
          isCurrent: current === 'disbursements',
        },
        {
          name: 'What is this bank line?',
          href: bankLinePath(id),
          isCurrent: current === 'bank-line',
        },
      ]}
    />
  );
}
