import type { Child } from 'hono/jsx';
import { MessageWithLink, StaffLayout } from '../../web/staffLayout.tsx';
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
    <StaffLayout
      title={title}
      site="Bookings and payments"
      home={OPS_PATH}
      style={`${OPS_PATH}/ops.css`}
      signedInAs={
        signedInAs && (
          <>
            Signed in as <bdi>{signedInAs}</bdi>
          </>
        )
      }
    >
      {children}
    </StaffLayout>
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
      <MessageWithLink text={text} home={OPS_PATH} back="Back to operations" />
    </OpsLayout>
  );
}
