import type { selectToDismiss } from '../../../desk/operations/store.ts';
import { words } from '../../../desk/words.ts';
import { OPS_PATH } from '../../console/paths.ts';
import { LinkLine } from '../../web/staffLayout.tsx';
import { zonedText } from '../../web/table.tsx';
import { OpsLayout } from './layout.tsx';

const { dismiss: copy } = words.ops;

/** Asks before a message is dismissed, because nothing brings it back. */
export function DismissPage({
  message,
  signedInAs,
}: {
  readonly message: Awaited<ReturnType<typeof selectToDismiss>>[number];
  readonly signedInAs: string;
}) {
  const { bookingReference, messageId, messageType, propertyId } = message;
  const time = zonedText(message.createdAtMs, message.timeZone);
  return (
    <OpsLayout title={copy.title} signedInAs={signedInAs}>
      <section>
        <p>
          {copy.of({ type: messageType })} <bdi>{bookingReference}</bdi>{' '}
          {copy.property({ property: propertyId, time })}
        </p>
        <p>
          <strong>{copy.final}</strong> {copy.consequence}
        </p>
        <form method="post" action={`${OPS_PATH}/outbox/dismiss`}>
          <input type="hidden" name="messageId" value={messageId} />
          <button type="submit">{copy.submit}</button>
        </form>
        <LinkLine href={OPS_PATH} text={copy.keep} />
      </section>
    </OpsLayout>
  );
}
