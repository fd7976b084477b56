import type { Child } from 'hono/jsx';
import { EmptyNote } from '../../web/table.tsx';
import { type Backlog, type DeadMessage, type Depth, MOST_SHOWN } from '../overview.ts';
import { OPS_PATH } from '../session.ts';
import { MOST_SUMMED } from '../store.ts';
import { At, type Zones } from './at.tsx';
import { BookingLink } from './bookingLink.tsx';
import { CardTable } from './cardTable.tsx';

/** Undelivered messages to PMSs, with buttons to replay or dismiss the dead ones. */
export function OutboxPart({
  depth,
  backlogs,
  dead,
  zones,
}: {
  readonly depth: Depth;
  readonly backlogs: readonly Backlog[];
  readonly dead: readonly DeadMessage[];
  readonly zones: Zones;
}) {
  return (
    <section aria-labelledby="outbox">
      <h2 id="outbox">Messages to PMSs</h2>
      {backlogs.length === 0 ? (
        <EmptyNote text="No message is waiting." />
      ) : (
        <>
          <p>
            {depth.messages} undelivered, {depth.dead} of them failed for good, at{' '}
            {depth.properties} {depth.properties === 1 ? 'property' : 'properties'}.
            {depth.cut && ' There are more: these numbers include only what the table shows.'}
          </p>
          <BacklogTable backlogs={backlogs} zones={zones} />
        </>
      )}
      {dead.length > 0 && <DeadTable dead={dead} zones={zones} />}
    </section>
  );
}

/** A number of messages, which are counted up to a limit. */
export function counted(number: number): string {
  return number >= MOST_SUMMED ? `${MOST_SUMMED} or more` : String(number);
}

function BacklogTable({
  backlogs,
  zones,
}: {
  readonly backlogs: readonly Backlog[];
  readonly zones: Zones;
}) {
  return (
    <CardTable
      caption={`By property, those with dead messages first, at most ${MOST_SHOWN.backlogs} shown`}
      columns={[
        'Property',
        '#Undelivered',
        '#Failed for good',
        'Actions',
        'Oldest failed',
        'Next due',
      ]}
      rows={backlogs.map(({ dead, depth, nextDueAtMs, oldestDeadAtMs, propertyId }) => [
        propertyId,
        counted(depth),
        counted(dead),
        dead > 0 ? (
          <Action to="replay-all" field="property" value={propertyId} of={propertyId}>
            Replay all
          </Action>
        ) : (
          '–'
        ),
        <At atMs={oldestDeadAtMs} zones={zones} property={propertyId} />,
        <At atMs={nextDueAtMs} zones={zones} property={propertyId} />,
      ])}
    />
  );
}

function DeadTable({
  dead,
  zones,
}: {
  readonly dead: readonly DeadMessage[];
  readonly zones: Zones;
}) {
  return (
    <CardTable
      caption={`Dead messages, at most ${MOST_SHOWN.dead} shown`}
      columns={['Booking', 'Type', 'Error', 'Actions', 'Queued', '#Attempts', 'Property', 'Id']}
      rows={dead.map((message) => [
        <BookingLink property={message.propertyId} reference={message.bookingReference} />,
        message.messageType,
        <bdi>{message.lastError}</bdi>,
        <div class="actions">
          <Action to="replay" field="messageId" value={message.messageId} of={message.messageId}>
            Replay
          </Action>
          <Action to="dismiss" field="messageId" value={message.messageId} of={message.messageId}>
            Dismiss
          </Action>
        </div>,
        <At atMs={message.createdAtMs} zones={zones} property={message.propertyId} />,
        message.attempts,
        message.propertyId,
        message.messageId,
      ])}
    />
  );
}

/** A button. What is final is asked about first, on a page of its own. */
function Action({
  to,
  field,
  value,
  of,
  children,
}: {
  readonly to: 'replay' | 'replay-all' | 'dismiss';
  readonly field: 'messageId' | 'property';
  readonly value: string;
  /** What the button applies to, for screen readers that read it without its row. */
  readonly of: string;
  readonly children?: Child;
}) {
  return (
    <form
      method={to === 'dismiss' ? 'get' : 'post'}
      action={`${OPS_PATH}/outbox/${to}`}
      class="actions"
    >
      <input type="hidden" name={field} value={value} />
      <button type="submit">
        {children} <span class="unseen">{of}</span>
      </button>
    </form>
  );
}
