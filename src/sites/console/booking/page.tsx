import { capitalisedBrand } from '../../../core/cardNumbers.ts';
import { day, money } from '../../../core/format.ts';
import type { CardRow } from '../../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import type { Person } from '../../../records/staff/rules.ts';
import { Notice } from '../../web/notice.tsx';
import { EmptyNote, Instant, Table } from '../../web/table.tsx';
import { NewActions, PaymentActions } from '../actions/forms.tsx';
import { Fact } from '../pages/fact.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { propertyPath } from '../paths.ts';
import type { BookingFile } from './read.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';

/** What the last action on a page came to. */
export interface PageNotice {
  readonly kind: 'good' | 'bad';
  readonly text: string;
  readonly link?: string;
}

/** A booking's page: who stays, what is owed, the payments, and all that happened. */
export function BookingPage({
  person,
  file,
  notice = null,
}: {
  readonly person: Person;
  readonly file: BookingFile;
  /** What the last action came to. */
  readonly notice?: PageNotice | null;
}) {
  const { booking, property } = file.state;
  return (
    <ConsoleLayout title={`Booking ${booking.reference}`} person={person}>
      <p>
        <a href={propertyPath(property.id)}>{property.name}</a>
      </p>
      {notice && (
        <Notice kind={notice.kind}>
          <p>{notice.text}</p>
          {notice.link && (
            <p>
              <a href={notice.link}>{notice.link}</a>
            </p>
          )}
        </Notice>
      )}
      <div class="columns">
        <Stay file={file} />
        <Balance file={file} />
      </div>
      <NewActions person={person} file={file} />
      <Payments person={person} file={file} />
      <Timeline file={file} />
    </ConsoleLayout>
  );
}

function Stay({ file: { state } }: { readonly file: BookingFile }) {
  const { booking } = state;
  return (
    <section aria-labelledby="stay">
      <h2 id="stay">Stay</h2>
      <dl>
        <Fact name="Guest">
          <bdi>{[booking.firstName, booking.lastName].filter(Boolean).join(' ')}</bdi>
        </Fact>
        <Fact name="E-mail">
          <bdi>{booking.email}</bdi>
        </Fact>
        {booking.phone && (
          <Fact name="Phone">
            <bdi>{booking.phone}</bdi>
          </Fact>
        )}
        <Fact name="Status">{booking.status === 'cancelled' ? 'Cancelled' : 'Booked'}</Fact>
        <Fact name="Arrival">{day(booking.arrival)}</Fact>
        <Fact name="Departure">{day(booking.departure)}</Fact>
        {booking.pmsConfirmationNumber && (
          <Fact name="PMS confirmation">
            <bdi>{booking.pmsConfirmationNumber}</bdi>
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Balance({ file: { balance, state } }: { readonly file: BookingFile }) {
  const { currency } = state.booking;
  const open = [
    ['Waiting for the bank', balance.uncertainMinor],
    ['Scheduled', balance.scheduledMinor],
    ['Held', balance.heldMinor],
    ['Refunded', balance.refundedMinor],
    ['Disputed', balance.disputedMinor],
    ['Bonds', balance.bondsMinor],
    ['Paid in excess', balance.overpaidMinor],
  ] as const;
  return (
    <section aria-labelledby="balance">
      <h2 id="balance">Balance</h2>
      <p class="soft">Without fees.</p>
      <dl>
        <Fact name="Total">{money(balance.totalCostMinor, currency)}</Fact>
        <Fact name="Paid">{money(balance.paidMinor, currency)}</Fact>
        {open.map(
          ([name, minor]) => minor > 0 && <Fact name={name}>{money(minor, currency)}</Fact>,
        )}
        <Fact name="Due">
          <strong>{money(balance.dueMinor, currency)}</strong>
        </Fact>
      </dl>
    </section>
  );
}

function Payments({ person, file }: { readonly person: Person; readonly file: BookingFile }) {
  const { property } = file.state;
  return (
    <section aria-labelledby="payments">
      <h2 id="payments">Payments</h2>
      {file.transactions.length === 0 ? (
        <EmptyNote text="There are no payments." />
      ) : (
        <Table
          caption="Payments, the latest first"
          columns={['Time', 'What', 'Status', '#Amount', '#Fees in it', 'Card', '#Id', 'Actions']}
        >
          {file.transactions.toReversed().map((row) => (
            <tr>
              <td>
                <Instant atMs={timeOf(row)} timeZone={property.timeZone} />
              </td>
              <td>{`${row.purpose}${row.kind === 'authorization' ? ' (hold)' : ''}`}</td>
              <td>{statusCopy(row)}</td>
              <td class="number">{money(row.amountMinor, row.currency)}</td>
              <td class="number">
                {money(row.cardFeeMinor + row.transactionFeeMinor, row.currency)}
              </td>
              <td>{cardCopy(file.cards.find(({ token }) => token === row.cardToken))}</td>
              <td class="number">{row.id}</td>
              <td>
                <PaymentActions person={person} file={file} row={row} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** A schedule counts at its time, anything else when it was made. */
function timeOf({ createdAtMs, scheduledAtMs, status }: TransactionRow): number {
  return status === 'Pending' ? (scheduledAtMs ?? createdAtMs) : createdAtMs;
}

function statusCopy({ declineCode, status }: TransactionRow): string {
  if (status === 'Processing') return 'No answer yet';
  return declineCode === null || status !== 'Declined' ? status : `${status}: ${declineCode}`;
}

function cardCopy(card: CardRow | undefined): string {
  return card ? `${capitalisedBrand(card.brand)} ${card.last4}` : 'The booking’s card';
}

function Timeline({ file }: { readonly file: BookingFile }) {
  const { booking, property } = file.state;
  const entries = timelineOf(file);
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <p class="soft">The latest first, in the time of {property.timeZone}.</p>
      <ol class="timeline" reversed>
        {entries.map((entry) => (
          <Entry entry={entry} currency={booking.currency} timeZone={property.timeZone} />
        ))}
      </ol>
    </section>
  );
}

function Entry({
  entry: { amountMinor, atMs, by, detail, last4, moneyId, tone, what },
  currency,
  timeZone,
}: {
  readonly entry: TimelineEntry;
  readonly currency: string;
  readonly timeZone: string;
}) {
  return (
    <li class={tone}>
      <p>
        <Instant atMs={atMs} timeZone={timeZone} /> <strong>{what}</strong>
        {amountMinor !== null && ` ${money(amountMinor, currency)}`}
        {last4 !== null && ` card ${last4}`}
      </p>
      <p class="soft">
        {[by && `By ${by}`, detail, moneyId && `Id ${moneyId}`].filter(Boolean).join(' · ')}
      </p>
    </li>
  );
}
