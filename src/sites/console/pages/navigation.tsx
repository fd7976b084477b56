import { words } from '../../../desk/words.ts';
import { hasRight, type Person, type Right } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Tabs } from '../../web/staffLayout.tsx';
import { CONSOLE_PATH, pathOf } from '../paths.ts';

const { console: copy } = words;

/** The pages of a property in the order of the navigation, by the last part of their path, and the rights that they take. */
const places = {
  property: 'see',
  failed: 'see',
  coming: 'see',
  disputes: 'see',
  differences: 'see',
  report: 'seeReports',
  disbursements: 'seeReports',
} as const satisfies Record<keyof typeof copy.tabs, Right>;

/** The links to a property's pages. */
export function Navigation({
  person,
  property,
  here,
}: {
  readonly person: Person;
  readonly property: Pick<PropertyRow, 'id' | 'name'>;
  /** The last part of the path of the page that is shown. */
  readonly here: string;
}) {
  const pages = Object.keys(places) as (keyof typeof places)[];
  const own = pages
    .filter((page) => hasRight(person.role, places[page]))
    .map((page) => ({
      name: copy.tabs[page],
      href: pathOf(page, { property: property.id }),
      isCurrent: page === here,
    }));
  const all = { name: copy.all, href: CONSOLE_PATH, isCurrent: false };
  return <Tabs name={property.name} tabs={person.propertyId === null ? [all, ...own] : own} />;
}
