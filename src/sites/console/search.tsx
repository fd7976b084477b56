import { holdsCardNumber } from '../../core/cardNumbers.ts';
import { localDate } from '../../core/time.ts';
import {
  asCharged,
  keyOfFound,
  MOST_COUNTED,
  type Placed,
  searchBookings,
  termsOf,
} from '../../desk/search.ts';
import { words } from '../../desk/words.ts';
import { pageOf } from '../../platform/db/page.ts';
import { page } from '../web/page.tsx';
import { wantsCsv } from '../web/table.tsx';
import { askedOf, type ListOf, viewOf } from './lists/list.tsx';
import { type ListedStay, stayColumns } from './lists/stays.tsx';
import { bookingPath, pathOf } from './paths.ts';
import { framed, type PropertyRequest } from './site.tsx';

const { search: copy } = words;

/**
 * Shows what was found, the booking itself where it is the only one, or the bookings as a file. An archived one is found by
 * its whole reference.
 */
export async function showFound(request: PropertyRequest, typed: string): Promise<Response> {
  const { c, property } = request;
  const read = termsOf(typed, property.currency);
  const terms = read && { ...read, amountsMinor: asCharged(read.amountsMinor, property) };
  const view = viewOf(request);
  const place = { path: 'property', query: { q: typed } };
  const { part } = askedOf(c, foundList(property.id, []), view, place);
  const today = localDate(view.nowMs, property.timeZone);
  const where = { id: property.id, today };
  const { found, isArchived } =
    terms === null
      ? { found: [], isArchived: false }
      : await searchBookings(c.get('database'), where, terms, part);
  // People paste whole card numbers: the page that finds the card has only its last digits, in its address too. An id of
  // a payment can look like a card number.
  if (holdsCardNumber(typed) && !found.some((one) => one.isById > 0)) {
    const q = typed.normalize('NFKC').replaceAll(/\D/g, '').slice(-4);
    return c.redirect(pathOf('property', { property: property.id, q }), 303);
  }
  const stays = pageOf(found, part.limit, keyOfFound);
  const list = askedOf(c, foundList(property.id, stays.rows), view, place);
  if (wantsCsv(c)) return list.file(stays);
  const [first] = stays.rows;
  if (
    first?.place === 1 &&
    (first.all === 1 || first.reference.toLowerCase() === typed.trim().toLowerCase())
  ) {
    return c.redirect(bookingPath(property.id, first.reference), 303);
  }
  if (!first && terms && isArchived) return c.redirect(bookingPath(property.id, terms.text), 303);
  const said = first ? first.all > MOST_COUNTED && copy.nearest : copy.hint;
  const content = list.section(stays, said && <p class="soft">{said}</p>);
  return page(c, 200, framed(request, { title: copy.title, typed }, content));
}

type FoundStay = Placed & ListedStay;

/** The bookings that were found, the nearest stay first. */
function foundList(property: string, rows: readonly FoundStay[]): ListOf<FoundStay> {
  const { caption, found, none: heading, part, tryAgain: empty } = copy;
  const [first, last] = [rows[0], rows.at(-1)];
  const copyOf = (all: number) => ({
    caption,
    empty,
    file: copy.file,
    heading:
      all === rows.length
        ? found({ number: all })
        : part({
            first: String(first?.place),
            last: String(last?.place),
            number: all > MOST_COUNTED ? copy.more({ number: String(MOST_COUNTED) }) : String(all),
          }),
  });
  return {
    copy: first ? copyOf(first.all) : { caption, empty, heading },
    name: 'search',
    file: 'bookings',
    key: keyOfFound,
    columns: () => stayColumns(property),
  };
}
