import type { Child } from 'hono/jsx';
import type { Person } from '../../../records/staff/rules.ts';
import { Head } from '../../web/head.tsx';
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
    <html lang="en">
      <Head title={`${title} – Console`} style={`${CONSOLE_PATH}/console.css`} />
      <body>
        <header>
          <h1>{title}</h1>
          {person && (
            <form method="post" action={`${CONSOLE_PATH}/sign-out`} class="actions">
              <span>
                <bdi>{person.name}</bdi> ({person.role})
              </span>
              <button type="submit">Sign out</button>
            </form>
          )}
        </header>
        <main>{children}</main>
      </body>
    </html>
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
      <p>{text}</p>
      <p>
        <a href={CONSOLE_PATH}>Back to the console</a>
      </p>
    </ConsoleLayout>
  );
}
