import { zonedInstant } from '../../desk/format.ts';
import { MOST_SHOWN, type Overview, type ToDismiss } from '../../desk/operations/overview.ts';
import { MOST_SUMMED } from '../../desk/operations/store.ts';
import { words } from '../../desk/words.ts';
import {
  bookingColumn,
  listedTime,
  more,
  propertyColumn,
  typedColumn,
} from '../console/lists/columns.tsx';
import { OPS_PATH } from '../console/paths.ts';
import { ButtonForm, Hidden } from '../web/forms.tsx';
import { LinkLine, Section } from '../web/page.tsx';
import { type Column, Records, TableSection } from '../web/table.tsx';

const { columns: names } = words;
const { dismiss, endpoints: endpointCopy, messages: copy } = words.ops;

type Backlog = Overview['backlogs'][number];
type Dead = Overview['dead'][number];
type Endpoint = Overview['endpoints'][number];

/** Undelivered messages to PMSs, with buttons to replay or dismiss the dead ones. */
export function OutboxPart({ depth, backlogs, dead }: Overview) {
  const { messages, properties } = depth;
  // Why a message failed, where that is not the cause beside its property.
  const otherError = typedColumn<Dead>(copy.error, ({ lastError }) => lastError ?? '–');
  return (
    <Section id="outbox" heading={copy.heading}>
      <p>
        {copy.depth({ messages: String(messages), dead: String(depth.dead), properties })}
        {depth.cut && ` ${copy.cut}`}
      </p>
      <Records
        caption={copy.backlogs({ most: String(MOST_SHOWN.backlogs) })}
        rows={backlogs}
        columns={[
          propertyColumn,
          numberColumn<Backlog>(copy.undelivered, (row) => row.depth),
          numberColumn<Backlog>(copy.dead, (row) => row.dead),
          {
            name: copy.actions,
            cell: (row) => (row.dead > 0 ? <Action to="replay-all" of={row.propertyId} /> : '–'),
          },
          more(listedTime<Backlog>(copy.since, ({ failingSinceMs }) => failingSinceMs, null)),
          { name: copy.cause, cell: ({ cause }) => <bdi>{cause ?? '–'}</bdi> },
          more(listedTime<Backlog>(copy.nextDue, ({ nextDueAtMs }) => nextDueAtMs, null)),
        ]}
      />
      {dead.length > 0 && (
        <Records
          caption={copy.deadCaption({ most: String(MOST_SHOWN.dead) })}
          rows={dead}
          columns={[
            bookingColumn,
            { name: copy.type, isMore: true, text: ({ messageType }) => messageType },
            ...(dead.some(({ lastError }) => lastError !== null) ? [otherError] : []),
            {
              name: copy.actions,
              cell: ({ messageId }) => (
                <div class="actions">
                  <Action to="replay" of={messageId} />
                  <Action to="dismiss" of={messageId} />
                </div>
              ),
            },
            more(listedTime<Dead>(copy.queued, ({ createdAtMs }) => createdAtMs, null)),
            { name: copy.attempts, isMore: true, isNumber: true, text: ({ attempts }) => attempts },
            more(propertyColumn),
            { name: names.id, isMore: true, text: ({ messageId }) => messageId },
          ]}
        />
      )}
    </Section>
  );
}

/** Webhook endpoints that did not get their events. */
export function EndpointsPart({ endpoints }: Overview) {
  return (
    <TableSection
      {...endpointCopy}
      id="endpoints"
      caption={endpointCopy.caption({ most: String(MOST_SHOWN.endpoints) })}
      rows={endpoints}
      columns={[
        { name: endpointCopy.endpoint, text: ({ host }) => host },
        numberColumn<Endpoint>(endpointCopy.dead, ({ dead }) => dead),
        {
          name: endpointCopy.lastAnswer,
          text: ({ lastStatus }) =>
            lastStatus === null
              ? endpointCopy.none
              : endpointCopy.http({ status: String(lastStatus) }),
        },
        more(
          listedTime<Endpoint>(endpointCopy.nextAttempt, ({ nextDueAtMs }) => nextDueAtMs, null),
        ),
        {
          name: endpointCopy.state,
          text: ({ active }) => (active ? endpointCopy.active : endpointCopy.deactivated),
        },
        more(propertyColumn),
        { name: names.id, isMore: true, text: ({ id }) => id },
      ]}
    />
  );
}

/** A number that is counted up to a limit. */
function numberColumn<Row>(name: string, numberOf: (row: Row) => number): Column<Row> {
  return {
    name,
    isMore: true,
    isNumber: true,
    text: (row) => {
      const number = numberOf(row);
      return number >= MOST_SUMMED ? copy.counted({ number: String(MOST_SUMMED) }) : number;
    },
  };
}

/** A button about a message, or about all of a property. What is final is asked about first, on a page of its own. */
function Action({ to, of }: Readonly<{ to: 'replay' | 'dismiss' | 'replay-all'; of: string }>) {
  const labels = { replay: copy.replay, dismiss: copy.dismiss, 'replay-all': copy.replayAll };
  return (
    <ButtonForm
      method={to === 'dismiss' ? 'get' : 'post'}
      action={`${OPS_PATH}/outbox/${to}`}
      fields={{ [to === 'replay-all' ? 'property' : 'messageId']: of }}
      text={labels[to]}
      of={of}
    />
  );
}

/** Asks before a message is dismissed, because nothing brings it back. */
export function Dismissal({ message }: { readonly message: ToDismiss }) {
  const { bookingReference, messageId, messageType, propertyId } = message;
  const time = zonedInstant(message.createdAtMs, message.timeZone);
  return (
    <section>
      <p>
        {dismiss.of({ type: messageType })} <bdi>{bookingReference}</bdi>{' '}
        {dismiss.property({ property: propertyId, time })}
      </p>
      <p>
        <strong>{dismiss.final}</strong> {dismiss.consequence}
      </p>
      <form method="post" action={`${OPS_PATH}/outbox/dismiss`}>
        <Hidden fields={{ messageId }} />
        <button type="submit">{dismiss.submit}</button>
      </form>
      <LinkLine href={OPS_PATH} text={dismiss.keep} />
    </section>
  );
}
