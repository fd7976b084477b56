import { money } from '../../../core/format.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { Tabs } from '../../web/staffLayout.tsx';
import { EmptyNote, Instant } from '../../web/table.tsx';
import { bookingPath } from '../paths.ts';
import type { BookingFile } from './read.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';
import { type TimelineKind, timelineKinds } from './timelineView.ts';

const kindNames: Readonly<Record<TimelineKind, string>> = {
  payments: 'Payments',
  refunds: 'Refunds',
  disputes: 'Disputes',
  booking: 'Booking',
  pms: 'PMS',
  mails: 'Mails',
  events: 'Events',
};

/** All that happened to a booking, with links that narrow it to a kind. */
export function Timeline({ file }: { readonly file: BookingFile }) {
  const { booking, property } = file.state;
  const { entries, next } = timelineOf(file);
  const home = bookingPath(property.id, booking.reference);
  const pathOf = (kind: TimelineKind | null, before?: string) =>
    `${home}${kind ? `&kind=${kind}` : ''}${before ? `&before=${before}` : ''}#timeline`;
  const { before, kind: shown } = file.view;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Tabs
        name="What the timeline shows"
        tabs={[null, ...timelineKinds].map((kind) => ({
          name: kind === null ? 'All' : kindNames[kind],
          href: pathOf(kind),
          isCurrent: kind === shown,
        }))}
      />
      <p class="soft">The latest first, in the time of {property.timeZone}.</p>
      {before && (
        <p>
          <a href={pathOf(shown)}>Back to the latest</a>
        </p>
      )}
      {entries.length === 0 && <EmptyNote text="There is nothing of this kind." />}
      <ol class="timeline" reversed>
        {entries.map((entry) => (
          <Entry entry={entry} currency={booking.currency} timeZone={property.timeZone} />
        ))}
      </ol>
      {next && (
        <p>
          <a href={pathOf(shown, next)}>Earlier entries</a>
        </p>
      )}
      {entries.length > 0 && (
        <CsvLink path={`${home}${shown ? `&kind=${shown}` : ''}`} of="the timeline" />
      )}
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
