import { day, money } from '../../../core/format.ts';
import type { Person } from '../../../records/staff/rules.ts';
import { Notice } from '../../web/notice.tsx';
import { NewActions } from '../actions/forms.tsx';
import { Fact } from '../pages/fact.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { Payments, Refunds } from './payments.tsx';
import type { BookingFile } from './read.ts';
import { Timeline } from './timelinePart.tsx';

/** What the last action on a page came to. */
export interface PageNotice {
  readonly kind: 'good' | 'bad';
  readonly text: string;
  readonly link?: string;
}

/** Which payments and refunds a page shows: those before the ones with these ids; null for the latest. */
export interface MoneyBefore {
  readonly payments: number | null;
  readonly refunds: number | null;
}

const LATEST: MoneyBefore = { payments: null, refunds: null };

/** A booking's page: who stays, what is owed, the payments, and all that happened. */
export function BookingPage({
  person,
  file,
  notice = null,
  before = LATEST,
}: {
  readonly person: Person;
  readonly file: BookingFile;
  /** What the last action came to. */
  readonly notice?: PageNotice | null;
  readonly before?: MoneyBefore;
}) {
  const { booking, property } = file.state;
  return (
    <ConsoleLayout title={`Booking ${booking.reference}`} person={person} property={property}>
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
      <Payments person={person} file={file} before={before.payments} />
      <Refunds person={person} file={file} before={before.refunds} />
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
    ['Waived', balance.waivedMinor],
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
