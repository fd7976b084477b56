import type { Child } from 'hono/jsx';
import { EmptyNote, Instant, Table } from '../../web/table.tsx';
import { type Backlog, type DeadMessage, type Depth, MOST_SHOWN } from '../readOverview.ts';
import { OPS_PATH } from '../session.ts';
import { MOST_SUMMED } from '../store.ts';

/** Undelivered messages to PMSs, with buttons to replay or dismiss the dead ones. */
export function OutboxPart({
  depth,
  backlogs,
  dead,
}: {
  readonly depth: Depth;
  readonly backlogs: readonly Backlog[];
  readonly dead: readonly DeadMessage[];
}) {
  return (
    <section aria-labelledby="outbox">
      <h2 id="outbox">Messages to PMSs</h2>
      {backlogs.length === 0 ? (
        <EmptyNote text="No message is waiting." />
      ) : (
        <>
          <p>
            {depth.messages} not delivered yet, {depth.dead} of them dead, at {depth.properties}{' '}
            {depth.properties === 1 ? 'property' : 'properties'}.
            {depth.cut && ' There are more: these numbers include only what the table shows.'}
          </p>
          <BacklogTable backlogs={backlogs} />
        </>
      )}
      {dead.length > 0 && <DeadTable dead={dead} />}
    </section>
  );
}

/** A number of messages, which are counted up to a limit. */
function counted(number: number): string {
  return number >= MOST_SUMMED ? `${MOST_SUMMED} or more` : String(number);
}

function BacklogTable({ backlogs }: { readonly backlogs: readonly Backlog[] }) {
  return (
    <Table
      caption={`By property, those with dead messages first, at most ${MOST_SHOWN.backlogs} shown`}
      columns={['Property', '#Not delivered', '#Dead', 'Oldest dead', 'Next due', 'Action']}
    >
      {backlogs.map(({ dead, depth, nextDueAtMs, oldestDeadAtMs, propertyId }) => (
        <tr>
          <th scope="row" class="name">
            {propertyId}
          </th>
          <td class="number">{counted(depth)}</td>
          <td class="number">{counted(dead)}</td>
          <td>
            <Instant atMs={oldestDeadAtMs} />
          </td>
          <td>
            <Instant atMs={nextDueAtMs} />
          </td>
          <td>
            {dead > 0 && (
              <Action to="replay-all" field="property" value={propertyId} of={propertyId}>
                Replay all
              </Action>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function DeadTable({ dead }: { readonly dead: readonly DeadMessage[] }) {
  return (
    <Table
      caption={`Dead messages, at most ${MOST_SHOWN.dead} shown`}
      columns={['Id', 'Type', 'Property', 'Booking', 'Queued', '#Attempts', 'Last error', 'Action']}
    >
      {dead.map((message) => (
        <tr>
          <th scope="row" class="name">
            {message.messageId}
          </th>
          <td>{message.messageType}</td>
          <td class="name">{message.propertyId}</td>
          <td class="name">
            <bdi>{message.bookingReference}</bdi>
          </td>
          <td>
            <Instant atMs={message.createdAtMs} />
          </td>
          <td class="number">{message.attempts}</td>
          <td class="name">
            <bdi>{message.lastError}</bdi>
          </td>
          <td>
            <div class="actions">
              {(['replay', 'dismiss'] as const).map((to) => (
                <Action to={to} field="messageId" value={message.messageId} of={message.messageId}>
                  {to === 'replay' ? 'Replay' : 'Dismiss'}
                </Action>
              ))}
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}

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
    <form method="post" action={`${OPS_PATH}/outbox/${to}`} class="actions">
      <input type="hidden" name={field} value={value} />
      <button type="submit">
        {children} <span class="unseen">{of}</span>
      </button>
    </form>
  );
}
