import { OPS_PATH } from '../session.ts';
import { zonedText } from './at.tsx';
import { OpsLayout } from './layout.tsx';

/** A message that may be dismissed. */
export interface ToDismiss {
  readonly messageId: string;
  readonly messageType: string;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly createdAtMs: number;
  readonly timeZone: string;
}

/** Asks before a message is dismissed, because nothing brings it back. */
export function DismissPage({
  message,
  signedInAs,
}: {
  readonly message: ToDismiss;
  readonly signedInAs: string;
}) {
  return (
    <OpsLayout title="Dismiss this message?" signedInAs={signedInAs}>
      <section>
        <p>
          {message.messageType} for booking <bdi>{message.bookingReference}</bdi> of{' '}
          {message.propertyId}, queued {zonedText(message.createdAtMs, message.timeZone)}.
        </p>
        <p>
          <strong>This is final.</strong> The PMS never gets this message, and it cannot be sent
          again. The booking’s later messages go out without it.
        </p>
        <form method="post" action={`${OPS_PATH}/outbox/dismiss`}>
          <input type="hidden" name="messageId" value={message.messageId} />
          <button type="submit">Dismiss for good</button>
        </form>
        <p>
          <a href={OPS_PATH}>Keep it</a>
        </p>
      </section>
    </OpsLayout>
  );
}
