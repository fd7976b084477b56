import { daysBetween } from '../../../core/days.ts';
import { localDate } from '../../../core/time.ts';
import type { Reader } from '../../../core/words/reader.ts';
import type { Folio } from '../readFolio.ts';
import { Fact } from './layout.tsx';
import { useReader } from './reader.tsx';

/** Who stays when, where the stay stands, and whether payment is late. */
export function Stay({ folio, nowMs }: { readonly folio: Folio; readonly nowMs: number }) {
  const reader = useReader();
  const { day, words } = reader;
  const texts = words.booking;
  const { booking } = folio.state;
  const name = [booking.firstName, booking.lastName].filter(Boolean).join(' ');
  return (
    <section aria-labelledby="stay">
      <h2 id="stay">{texts.stay}</h2>
      <dl>
        <Fact name={texts.guest}>
          <bdi>{name}</bdi>
        </Fact>
        <Fact name={texts.reference}>
          <bdi>{booking.reference}</bdi>
        </Fact>
        <Fact name={texts.arrival}>{day(booking.arrival)}</Fact>
        <Fact name={texts.departure}>{day(booking.departure)}</Fact>
      </dl>
      {booking.status !== 'cancelled' && <p>{phaseWords(folio, nowMs, reader)}</p>}
    </section>
  );
}

/** Where the stay stands: ahead, now, or over; and that what is still due then is late. */
function phaseWords({ balance, state }: Folio, nowMs: number, { day, words }: Reader): string {
  const { booking: texts } = words;
  const { arrival, departure } = state.booking;
  const today = localDate(nowMs, state.property.timeZone);
  const isOpen = balance.payableMinor > balance.scheduledMinor;
  if (today < arrival) return texts.ahead({ days: daysBetween(today, arrival) });
  if (today <= departure) {
    return [texts.inHouse({ departure: day(departure) }), isOpen ? texts.dueInHouse : '']
      .join(' ')
      .trim();
  }
  return [texts.past({ departure: day(departure) }), isOpen ? texts.overdue : ''].join(' ').trim();
}
