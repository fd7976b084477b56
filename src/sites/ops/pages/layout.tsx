import type { Child } from 'hono/jsx';
import { Head } from '../../web/head.tsx';
import { OPS_PATH } from '../session.ts';

/** The frame of the operations page. */
export function OpsLayout({
  title,
  signedInAs,
  children,
}: {
  readonly title: string;
  /** The administrator's client id; absent before signing in. */
  readonly signedInAs?: string;
  readonly children?: Child;
}) {
  return (
    <html lang="en">
      <Head title={`${title} – Bookings and payments`} style={`${OPS_PATH}/ops.css`} />
      <body>
        <header>
          <h1>{title}</h1>
          {signedInAs && (
            <form method="post" action={`${OPS_PATH}/sign-out`} class="actions">
              <span>
                Signed in as <bdi>{signedInAs}</bdi>
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
export function OpsMessagePage({
  heading,
  text,
}: {
  readonly heading: string;
  readonly text: string;
}) {
  return (
    <OpsLayout title={heading}>
      <p>{text}</p>
      <p>
        <a href={OPS_PATH}>Back to operations</a>
      </p>
    </OpsLayout>
  );
}
