import type { Child } from 'hono/jsx';
import type { Person } from '../../../records/staff/rules.ts';
import { MessageWithLink, StaffLayout } from '../../web/staffLayout.tsx';
import { CONSOLE_PATH } from '../paths.ts';

/** The frame of the console's pages. */
export function ConsoleLayout({
  title,
  person,
  children,
}: {
  readonly title: string;
  /** Absent before signing in. */
  readonly person?: Person;
  readonly children?: Child;
}) {
  return (
    <StaffLayout
      title={title}
      site="Console"
      home={CONSOLE_PATH}
      style={`${CONSOLE_PATH}/console.css`}
      signedInAs={
        person && (
          <>
            <bdi>{person.name}</bdi> ({person.role})
          </>
        )
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
      <MessageWithLink text={text} home={CONSOLE_PATH} back="Back to the console" />
    </ConsoleLayout>
  );
}
