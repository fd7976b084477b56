import { wordFor } from '../../../core/words/staff.ts';
import { type BookingFile, readBookingFile } from '../../../desk/bookingFile.ts';
import { day, money } from '../../../desk/format.ts';
import { timelineKinds } from '../../../desk/timelineStore.ts';
import { guestOf, words } from '../../../desk/words.ts';
import { selectGateway } from '../../../gateways/select.ts';
import { shownPart } from '../../../http/listFields.ts';
import { Fact } from '../../web/forms.tsx';
import { Notice, page, type Said, Section } from '../../web/page.tsx';
import { wantsCsv } from '../../web/table.tsx';
import { NewActions } from '../actions/forms.tsx';
import { bookingTitle, framed, notFoundPage, type PropertyRequest, useFile } from '../site.tsx';
import { Cards } from './cards.tsx';
import { Payments } from './payments.tsx';
import { Plan } from './plan.tsx';
import { Summary } from './summary.tsx';
import { bookingCsv, Timeline } from './timelinePart.tsx';

const { balance: sums, stay } = words.booking;

/** Shows a booking, with what its query says was done; or one of its tables as a file. */
export async function showBooking(request: PropertyRequest): Promise<Response> {
  const { c, property, reference } = request;
  const { before, done = '', kind } = c.req.query();
  const { after } = shownPart('timeline', reference, { limit: 1, cursor: before });
  const view = { kind: timelineKinds.find((one) => one === kind) ?? null, after };
  if (wantsCsv(c)) return bookingCsv(request, view);
  const file = await readBookingFile(c.get('database'), property.id, reference, view);
  if (file === null) return notFoundPage(c);
  const text = wordFor(words.booking.done, done);
  return bookingPage(request, 200, file, text === undefined ? null : { kind: 'good', text });
}

/** The booking's page, with what went wrong on top of it. */
export async function bookingPageWith(
  request: PropertyRequest,
  status: number,
  text: string,
): Promise<Response> {
  const { c, property, reference } = request;
  const file = await readBookingFile(c.get('database'), property.id, reference);
  return file ? bookingPage(request, status, file, { kind: 'bad', text }) : notFoundPage(c);
}

/** A booking's page: the answers first, then what can be done, the money, the cards, and all that happened. */
function bookingPage(
  request: PropertyRequest,
  status: number,
  file: BookingFile,
  said: Said | null,
): Promise<Response> {
  const { c } = request;
  const content = (
    <>
      {said && <Notice {...said} />}
      <div class="columns">
        <Summary />
        <Balance />
      </div>
      <NewActions />
      <Payments c={c} gateway={selectGateway(c.get('config'), c.env)} />
      <Plan />
      <div class="columns">
        <Cards />
        <Stay />
      </div>
      <Timeline />
    </>
  );
  return page(c, status, framed(request, { title: bookingTitle(file), file }, content));
}

function Stay() {
  const { booking } = useFile().state;
  return (
    <Section id="stay" heading={stay.heading}>
      <dl>
        <Fact name={stay.guest} typed>
          {guestOf(booking)}
        </Fact>
        <Fact name={stay.email} typed>
          {booking.email}
        </Fact>
        {booking.phone && (
          <Fact name={stay.phone} typed>
            {booking.phone}
          </Fact>
        )}
        <Fact name={stay.status}>{stay[booking.status]}</Fact>
        <Fact name={stay.arrival}>{day(booking.arrival)}</Fact>
        <Fact name={stay.departure}>{day(booking.departure)}</Fact>
        {booking.pmsConfirmationNumber && (
          <Fact name={stay.confirmation} typed>
            {booking.pmsConfirmationNumber}
          </Fact>
        )}
      </dl>
    </Section>
  );
}

/** The sums that a page leaves out where they are 0. */
const OPEN_SUMS = [
  'uncertainMinor',
  'scheduledMinor',
  'plannedMinor',
  'heldMinor',
  'refundedMinor',
  'waivedMinor',
  'disputedMinor',
  'bondsMinor',
  'overpaidMinor',
] as const;

function Balance() {
  const { balance, keptMinor, state } = useFile();
  const { currency, status } = state.booking;
  const resultMinor = status === 'booked' ? balance.dueMinor : keptMinor;
  return (
    <Section id="balance" heading={sums.heading}>
      <p class="soft">{sums.without}</p>
      <dl>
        <Fact name={sums.total}>{money(balance.totalCostMinor, currency)}</Fact>
        <Fact name={sums.paid}>{money(balance.paidMinor, currency)}</Fact>
        {OPEN_SUMS.map(
          (sum) =>
            balance[sum] > 0 && <Fact name={sums[sum]}>{money(balance[sum], currency)}</Fact>,
        )}
        {resultMinor !== null && (
          <Fact name={status === 'booked' ? sums.due : sums.kept}>
            <strong>{money(resultMinor, currency)}</strong>
          </Fact>
        )}
        {status === 'cancelled' && balance.proposedMinor > 0 && (
          <Fact name={words.report.cancellations.uncollected}>
            {money(balance.proposedMinor, currency)}
          </Fact>
        )}
      </dl>
    </Section>
  );
}
