import { words } from '../../../desk/words.ts';
import { Tabs } from '../../web/page.tsx';
import { pathOf } from '../paths.ts';

const { ways, choose } = words.staff;

/** The two pages about people: who works here, and what they did. */
export function StaffTabs({
  property,
  current,
}: {
  readonly property: string;
  readonly current: keyof typeof ways;
}) {
  const tabs = Object.entries(ways).map(([way, name]) => ({
    name,
    href: pathOf(way, { property }),
    isCurrent: way === current,
  }));
  return <Tabs name={choose} tabs={tabs} />;
}
