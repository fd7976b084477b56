import { plainMoney } from '../../../core/format.ts';
import { type BookingFile, readBookingFile } from '../../../desk/bookingFile.ts';
import { money } from '../../../desk/format.ts';
import { type TimelineEntry, timelineOf } from '../../../desk/timeline.ts';
import {
  type TimelineKind,
  type TimelineView,
  timelineKinds,
} from '../../../desk/timelineStore.ts';
import { words } from '../../../desk/words.ts';
import { cursorAfter } from '../../../http/listFields.ts';
import { LinkLine, Section, Tabs } from '../../web/page.tsx';
import { type Column, CsvLink, csvAnswer, EmptyNote, Instant } from '../../web/table.tsx';
import { timeColumn } from '../lists/columns.tsx';
import { bookingPath } from '../paths.ts';
import { notFoundPage, type PropertyRequest, useFile } from '../site.tsx';
import { paymentColumns, refundColumns } from './payments.tsx';

const { columns: names, timeline: copy } = words;

/** All that happened to a booking, with links that narrow it to a kind. */
export function Timeline() {
  const file = useFile();
  const { booking, property } = file.state;
  const { entries, next } = timelineOf(file);
  const home = bookingPath(property.id, booking.reference);
  const pathOf = (kind: TimelineKind | null, before?: string) =>
    `${home}${kind ? `&kind=${kind}` : ''}${before ? `&before=${before}` : ''}#timeline`;
  const { after, kind: shown } = file.view;
  const cursor = cursorAfter('timeline', booking.reference, { next });
  return (
    <Section id="timeline" heading={copy.heading}>
      <Tabs
        name={copy.choices}
        tabs={[null, ...timelineKinds].map((kind) => ({
          name: kind === null ? copy.all : copy.kindNames[kind],
          href: pathOf(kind),
          isCurrent: kind === shown,
        }))}
      />
      <p class="soft">{copy.intro({ timeZone: property.timeZone })}</p>
      {after && <LinkLine href={pathOf(shown)} text={copy.back} />}
      {entries.length === 0 && <EmptyNote text={copy.empty} />}
      <ol class="timeline" reversed>
        {entries.map((entry) => (
          <Entry {...entry} />
        ))}
      </ol>
      {cursor && <LinkLine href={pathOf(shown, cursor)} text={copy.earlier} />}
      {entries.length > 0 && (
        <CsvLink path={`${home}${shown ? `&kind=${shown}` : ''}`} of={copy.file} />
      )}
    </Section>
  );
}

function Entry(entry: TimelineEntry) {
  const { amountMinor, atMs, by, description, detail, last4, moneyId, tone, what } = entry;
  const { booking, property } = useFile().state;
  return (
    <li class={tone}>
      <p>
        <Instant atMs={atMs} timeZone={property.timeZone} /> <strong>{what}</strong>
        {amountMinor !== null && ` ${money(amountMinor, booking.currency)}`}
        {last4 !== null && ` ${copy.card({ last4 })}`}
      </p>
      <p class="soft">
        {[
          by && (by === copy.actors.alarm ? by : copy.by({ name: by })),
          description,
          detail,
          moneyId && copy.id({ id: String(moneyId) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  );
}

const MOST_PAGES = 25;

/** A table of a booking's page as CSV: its payments, its refunds, or the timeline with all of its pages. */
export async function bookingCsv(
  { c, property, reference }: PropertyRequest,
  view: TimelineView,
): Promise<Response> {
  const read = (next: TimelineView) =>
    readBookingFile(c.get('database'), property.id, reference, next);
  const file = await read(view);
  if (file === null) return notFoundPage(c);
  const table = c.req.query('table');
  if (table === 'payments') {
    const rows = file.transactions.toReversed();
    return csvAnswer(c, `payments-${reference}`, paymentColumns(file), rows);
  }
  if (table === 'refunds') {
    return csvAnswer(c, `refunds-${reference}`, refundColumns(file), file.refunds.toReversed());
  }
  const entries = await wholeTimeline(file, read);
  return csvAnswer(c, `timeline-${reference}`, timelineColumns(file), entries);
}

/** The entries of a timeline from a file on. One round trip for each further page. */
async function wholeTimeline(
  file: BookingFile,
  read: (view: TimelineView) => Promise<BookingFile | null>,
): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for (let part: BookingFile | null = file, pages = 0; part !== null && pages < MOST_PAGES; ) {
    const { entries: shown, next } = timelineOf(part);
    entries.push(...shown);
    pages += 1;
    part = next === null ? null : await read({ ...file.view, after: next });
  }
  return entries;
}

function timelineColumns({ state: { booking, property } }: BookingFile): Column<TimelineEntry>[] {
  const { currency } = booking;
  return [
    timeColumn(names.time, ({ atMs }) => atMs, property),
    { name: names.what, text: ({ what }) => what },
    {
      name: names.amount,
      text: ({ amountMinor }) => (amountMinor === null ? null : plainMoney(amountMinor, currency)),
    },
    {
      name: names.currency,
      text: ({ amountMinor }) => (amountMinor === null ? null : currency),
    },
    { name: copy.endingIn, text: ({ last4 }) => last4 },
    { name: names.by, text: ({ by }) => by },
    { name: names.description, text: ({ description }) => description },
    { name: names.detail, text: ({ detail }) => detail },
    { name: names.id, text: ({ moneyId }) => moneyId },
  ];
}
