import { hasRight, type Person, type Right } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Tabs } from '../../web/staffLayout.tsx';
import { CONSOLE_PATH, pathOf } from '../paths.ts';

/** A page of a property in the navigation: the last part of its path, its name, and the right that it takes. */
interface Place {
  readonly page: string;
  readonly name: string;
  readonly right: Right;
}

/** The pages of a property, in the order of the navigation. */
const places = [
  { page: 'property', name: 'Search', right: 'see' },
  { page: 'failed', name: 'Failed', right: 'see' },
  { page: 'coming', name: 'Coming', right: 'see' },
  { page: 'disputes', name: 'Disputes', right: 'see' },
  { page: 'differences', name: 'Differences', right: 'see' },
  { page: 'report', name: 'Reports', right: 'seeReports' },
  { page: 'disbursements', name: 'Disbursements', right: 'seeReports' },
] as const satisfies readonly Place[];

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
  const own = places
    .filter(({ right }) => hasRight(person.role, right))
    .map(({ name, page }) => ({
      name,
      href: pathOf(page, { property: property.id }),
      isCurrent: page === here,
    }));
  const all = { name: 'All properties', href: CONSOLE_PATH, isCurrent: false };
  return <Tabs name={property.name} tabs={person.propertyId === null ? [all, ...own] : own} />;
}
