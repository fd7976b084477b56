import { money } from '../../../core/format.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { type TimelineKind, timelineKinds } from '../../../desk/timelineStore.ts';
import { words } from '../../../desk/words.ts';
import { cursorAfter } from '../../../http/listFields.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { LinkLine, Tabs } from '../../web/staffLayout.tsx';
import { EmptyNote, Instant } from '../../web/table.tsx';
import { bookingPath } from '../paths.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';

const { timeline: copy } = words;

/** All that happened to a booking, with links that narrow it to a kind. */
export function Timeline({ file }: { readonly file: BookingFile }) {
  const { booking, property } = file.state;
  const { entries, next } = timelineOf(file);
  const home = bookingPath(property.id, booking.reference);
  const pathOf = (kind: TimelineKind | null, before?: string) =>
    `${home}${kind ? `&kind=${kind}` : ''}${before ? `&before=${before}` : ''}#timeline`;
  const { after, kind: shown } = file.view;
  const cursor = cursorAfter('timeline', booking.reference, { next });
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{copy.heading}</h2>
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
          <Entry entry={entry} currency={booking.currency} timeZone={property.timeZone} />
        ))}
      </ol>
      {cursor && <LinkLine href={pathOf(shown, cursor)} text={copy.earlier} />}
      {entries.length > 0 && (
        <CsvLink path={`${home}${shown ? `&kind=${shown}` : ''}`} of={copy.file} />
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
        {last4 !== null && ` ${copy.card({ last4 })}`}
      </p>
      <p class="soft">
        {[by && copy.by({ name: by }), detail, moneyId && copy.id({ id: String(moneyId) })]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  );
}
