import type { Child } from 'hono/jsx';
import { words } from '../../../desk/words.ts';
import { OPS_PATH } from '../../console/paths.ts';
import { MessageWithLink, StaffLayout } from '../../web/staffLayout.tsx';

const { ops: copy } = words;

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
      site={copy.site}
      home={OPS_PATH}
      style={`${OPS_PATH}/ops.css`}
      signedInAs={
        signedInAs && (
          <>
            {copy.signedInAs} <bdi>{signedInAs}</bdi>
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
      <MessageWithLink text={text} home={OPS_PATH} back={copy.back} />
    </OpsLayout>
  );
}
