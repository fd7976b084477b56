import type { Child } from 'hono/jsx';
import { words } from '../../../desk/words.ts';
import { hasRight, type Person, type Right } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { MessageWithLink, StaffLayout, Tabs } from '../../web/staffLayout.tsx';
import { CONSOLE_PATH, pathOf } from '../paths.ts';

const { console: copy } = words;

export function ConsoleLayout({
  title,
  person,
  property,
  here = '',
  children,
}: {
  readonly title: string;
  /** Absent before signing in. */
  readonly person?: Person;
  /** The property that the page is about; its other pages are linked. */
  readonly property?: Pick<PropertyRow, 'id' | 'name'>;
  /** The page's place in the navigation: the last part of its path. */
  readonly here?: string;
  readonly children?: Child;
}) {
  return (
    <StaffLayout
      title={title}
      site={property ? copy.of({ property: property.name }) : copy.name}
      home={CONSOLE_PATH}
      style={`${CONSOLE_PATH}/console.css`}
      signedInAs={
        person && (
          <>
            <bdi>{person.name}</bdi> ({person.role})
          </>
        )
      }
      navigation={
        person && property && <Navigation person={person} property={property} here={here} />
      }
    >
      {children}
    </StaffLayout>
  );
}

/** A page with a heading and one paragraph. */
export function ConsoleMessagePage({
  heading,
  text,
}: {
  readonly heading: string;
  readonly text: string;
}) {
  return (
    <ConsoleLayout title={heading}>
      <MessageWithLink text={text} home={CONSOLE_PATH} back={copy.back} />
    </ConsoleLayout>
  );
}

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

function Navigation({
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
