import { holdsCardNumber } from '../../core/cardNumbers.ts';
import { day, money, plainMoney } from '../../core/format.ts';
import { type Found, searchBookings, termsOf } from '../../desk/search.ts';
import { words } from '../../desk/words.ts';
import { Hidden } from '../web/forms.tsx';
import { page, Section } from '../web/page.tsx';
import { type CsvColumn, CsvLink, csvAnswer, wantsCsv } from '../web/table.tsx';
import { guestOf } from './lists/columns.tsx';
import { bookingPath, CONSOLE_PATH, pathOf } from './paths.ts';
import { framed, type PropertyRequest, useViewed } from './site.tsx';

const { columns: names, search: copy } = words;

/** A property's page: a field to find bookings, and what was found; or that as a file. */
export async function showProperty(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const typed = c.req.query('q') ?? '';
  const terms = termsOf(typed, property.currency);
  const found = terms && (await searchBookings(c.get('database'), property.id, terms));
  // People paste whole card numbers: the page that finds the card has only its last digits, in its address too. An id of
  // a payment can look like a card number.
  if (holdsCardNumber(typed) && !found?.some(({ by }) => by === 'payment')) {
    const q = typed.normalize('NFKC').replaceAll(/\D/g, '').slice(-4);
    return c.redirect(pathOf('property', { property: property.id, q }), 303);
  }
  if (found && wantsCsv(c)) return csvAnswer(c, `bookings-${property.id}`, foundColumns, found);
  const content = (
    <>
      <search>
        <form method="get" action={`${CONSOLE_PATH}/property`} class="search">
          <Hidden fields={{ property: property.id }} />
          <div class="field">
            <label for="q">{copy.label}</label>
            <input id="q" name="q" type="search" value={typed} aria-describedby="hint" />
            <p id="hint" class="soft">
              {copy.hint}
            </p>
          </div>
          <button type="submit">{copy.find}</button>
        </form>
      </search>
      {found && <Results found={found} typed={typed} />}
    </>
  );
  return page(c, 200, framed(request, { title: property.name, here: 'property' }, content));
}

const foundColumns: readonly CsvColumn<Found>[] = [
  { name: names.booking, text: ({ reference }) => reference },
  { name: copy.firstName, text: ({ firstName }) => firstName },
  { name: copy.lastName, text: ({ lastName }) => lastName },
  { name: names.status, text: ({ status }) => status },
  { name: copy.arrival, text: ({ arrival }) => arrival },
  { name: copy.departure, text: ({ departure }) => departure },
  {
    name: copy.total,
    text: ({ currency, totalCostMinor }) => plainMoney(totalCostMinor, currency),
  },
  { name: names.currency, text: ({ currency }) => currency },
  { name: copy.by, text: ({ by }) => copy.foundBy[by] },
];

function Results({ found, typed }: { readonly found: readonly Found[]; readonly typed: string }) {
  const { property } = useViewed();
  if (found.length === 0) {
    return (
      <section>
        <h2>{copy.none}</h2>
        <p>{copy.tryAgain}</p>
      </section>
    );
  }
  return (
    <Section id="found" heading={copy.found({ number: found.length })}>
      <ul class="found">
        {found.map((booking) => (
          <li>
            <a href={bookingPath(property.id, booking.reference)}>
              <bdi>{booking.reference}</bdi>
            </a>{' '}
            <bdi>{guestOf(booking)}</bdi>
            {booking.status === 'cancelled' && ` ${copy.cancelled}`}
            <p class="soft">
              {copy.stay({
                arrival: day(booking.arrival),
                departure: day(booking.departure),
                total: money(booking.totalCostMinor, booking.currency),
                by: copy.foundBy[booking.by],
              })}
            </p>
          </li>
        ))}
      </ul>
      <CsvLink path={pathOf('property', { property: property.id, q: typed })} />
    </Section>
  );
}
