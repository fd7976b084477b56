import { day, money } from '../../../core/format.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { words } from '../../../desk/words.ts';
import type { Person } from '../../../records/staff/rules.ts';
import { Fact } from '../../web/forms.tsx';
import { Notice } from '../../web/page.tsx';
import { LinkLine } from '../../web/staffLayout.tsx';
import { NewActions } from '../actions/forms.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { type MoneyCursors, Payments, Refunds } from './payments.tsx';
import { Timeline } from './timelinePart.tsx';

/** What the last action on a page came to. */
export interface PageNotice {
  readonly kind: 'good' | 'bad';
  readonly text: string;
  readonly link?: string;
}

const { balance: sums, stay } = words.booking;

const LATEST: MoneyCursors = { payments: undefined, refunds: undefined };

/** A booking's page: who stays, what is owed, the payments, and all that happened. */
export function BookingPage({
  person,
  file,
  notice = null,
  cursors = LATEST,
}: {
  readonly person: Person;
  readonly file: BookingFile;
  readonly notice?: PageNotice | null;
  readonly cursors?: MoneyCursors;
}) {
  const { booking, property } = file.state;
  return (
    <ConsoleLayout
      title={words.booking.title({ reference: booking.reference })}
      person={person}
      property={property}
    >
      {notice && (
        <Notice kind={notice.kind} text={notice.text}>
          {notice.link && <LinkLine href={notice.link} text={notice.link} />}
        </Notice>
      )}
      <div class="columns">
        <Stay file={file} />
        <Balance file={file} />
      </div>
      <NewActions person={person} file={file} />
      <Payments person={person} file={file} cursor={cursors.payments} />
      <Refunds person={person} file={file} cursor={cursors.refunds} />
      <Timeline file={file} />
    </ConsoleLayout>
  );
}

function Stay({ file: { state } }: { readonly file: BookingFile }) {
  const { booking } = state;
  return (
    <section aria-labelledby="stay">
      <h2 id="stay">{stay.heading}</h2>
      <dl>
        <Fact name={stay.guest}>
          <bdi>{[booking.firstName, booking.lastName].filter(Boolean).join(' ')}</bdi>
        </Fact>
        <Fact name={stay.email}>
          <bdi>{booking.email}</bdi>
        </Fact>
        {booking.phone && (
          <Fact name={stay.phone}>
            <bdi>{booking.phone}</bdi>
          </Fact>
        )}
        <Fact name={stay.status}>{stay[booking.status]}</Fact>
        <Fact name={stay.arrival}>{day(booking.arrival)}</Fact>
        <Fact name={stay.departure}>{day(booking.departure)}</Fact>
        {booking.pmsConfirmationNumber && (
          <Fact name={stay.confirmation}>
            <bdi>{booking.pmsConfirmationNumber}</bdi>
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** The sums that a page leaves out where they are 0. */
const OPEN_SUMS = [
  'uncertainMinor',
  'scheduledMinor',
  'heldMinor',
  'refundedMinor',
  'waivedMinor',
  'disputedMinor',
  'bondsMinor',
  'overpaidMinor',
] as const;

function Balance({ file: { balance, state } }: { readonly file: BookingFile }) {
  const { currency } = state.booking;
  return (
    <section aria-labelledby="balance">
      <h2 id="balance">{sums.heading}</h2>
      <p class="soft">{sums.without}</p>
      <dl>
        <Fact name={sums.total}>{money(balance.totalCostMinor, currency)}</Fact>
        <Fact name={sums.paid}>{money(balance.paidMinor, currency)}</Fact>
        {OPEN_SUMS.map(
          (sum) =>
            balance[sum] > 0 && <Fact name={sums[sum]}>{money(balance[sum], currency)}</Fact>,
        )}
        <Fact name={sums.due}>
          <strong>{money(balance.dueMinor, currency)}</strong>
        </Fact>
      </dl>
    </section>
  );
}
