import type { Child } from 'hono/jsx';
import { words } from '../../../desk/words.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { MessageWithLink, StaffLayout } from '../../web/staffLayout.tsx';
import { CONSOLE_PATH } from '../paths.ts';
import { Navigation } from './navigation.tsx';

const { console: copy } = words;

/** The frame of the console's pages. */
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
