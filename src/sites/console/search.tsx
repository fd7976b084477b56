import { holdsCardNumber } from '../../core/cardNumbers.ts';
import { localDate } from '../../core/time.ts';
import {
  asCharged,
  MOST_COUNTED,
  type SearchTerms,
  searchBookings,
  termsOf,
} from '../../desk/search.ts';
import { words } from '../../desk/words.ts';
import { balanceOfEntries } from '../../money/balance/bookingMoney.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { LinkLine, page, Section } from '../web/page.tsx';
import { CsvLink, csvAnswer, Records, wantsCsv } from '../web/table.tsx';
import { type ListedStay, stayColumns } from './lists/stays.tsx';
import { bookingPath, pathOf } from './paths.ts';
import { framed, type PropertyRequest, useViewed } from './site.tsx';

const { search: copy } = words;

/** How many bookings a page shows. */
const SHOWN = 20;

/** Shows what was found, the booking itself where it is the only one, or the bookings as a file. */
export async function showFound(request: PropertyRequest, typed: string): Promise<Response> {
  const { c, property } = request;
  const read = termsOf(typed, property.currency);
  const terms = read && { ...read, amountsMinor: asCharged(read.amountsMinor, property) };
  const from = Number(/^\d{1,3}$/.exec(c.req.query('from') ?? '')?.[0] ?? 0);
  const { all, isById, stays } = await find(request, terms, from);
  // People paste whole card numbers: the page that finds the card has only its last digits, in its address too. An id of
  // a payment can look like a card number.
  if (holdsCardNumber(typed) && !isById) {
    const q = typed.normalize('NFKC').replaceAll(/\D/g, '').slice(-4);
    return c.redirect(pathOf('property', { property: property.id, q }), 303);
  }
  if (wantsCsv(c)) {
    return csvAnswer(c, `bookings-${property.id}`, stayColumns(property.id), stays);
  }
  const [first] = stays;
  if (first && from === 0 && (all === 1 || isSame(first.reference, typed))) {
    return c.redirect(bookingPath(property.id, first.reference), 303);
  }
  const content = <Results all={all} from={from} stays={stays} typed={typed} />;
  return page(c, 200, framed(request, { title: copy.title, here: 'property', typed }, content));
}

async function find({ c, property }: PropertyRequest, terms: SearchTerms | null, offset: number) {
  if (terms === null) return { all: 0, isById: false, stays: [] };
  const today = localDate(propertyNow(property), property.timeZone);
  const part = wantsCsv(c) ? { limit: MOST_COUNTED, offset: 0 } : { limit: SHOWN, offset };
  const found = await searchBookings(c.get('database'), { id: property.id, today }, terms, part);
  return {
    all: found[0]?.all ?? 0,
    isById: found.some((one) => one.isById > 0),
    stays: found.map((one) => ({ ...one, balance: balanceOfEntries(one) })),
  };
}

function isSame(reference: string, typed: string): boolean {
  return reference.toLowerCase() === typed.trim().toLowerCase();
}

function Results({
  all,
  from,
  stays,
  typed,
}: {
  readonly all: number;
  readonly from: number;
  readonly stays: readonly ListedStay[];
  readonly typed: string;
}) {
  const { property } = useViewed();
  if (stays.length === 0) {
    return (
      <section>
        <h2>{copy.none}</h2>
        <p>{copy.tryAgain}</p>
        <p class="soft">{copy.hint}</p>
      </section>
    );
  }
  const next = from + stays.length;
  const query = { property: property.id, q: typed };
  const number = all > MOST_COUNTED ? copy.more({ number: String(MOST_COUNTED) }) : String(all);
  return (
    <Section
      id="found"
      heading={
        all === stays.length
          ? copy.found({ number: all })
          : copy.part({ first: String(from + 1), last: String(next), number })
      }
    >
      <Records caption={copy.caption} columns={stayColumns(property.id)} rows={stays} />
      {next < Math.min(all, MOST_COUNTED) && (
        <LinkLine
          href={pathOf('property', { ...query, from: String(next) })}
          text={words.list.more}
        />
      )}
      <CsvLink path={pathOf('property', query)} />
    </Section>
  );
}
