import { words } from '../../../desk/words.ts';
import { cursorAfter, shownPart } from '../../../http/listFields.ts';
import { listVirtualCards } from '../../../money/virtualCards/list.ts';
import { stateOf, type VirtualCardToShow } from '../../../money/virtualCards/views.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import {
  remainingOf,
  VIRTUAL_STATES,
  type VirtualState,
} from '../../../records/cards/rules/virtual.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { LinkLine, page, Tabs } from '../../web/page.tsx';
import { type Column, CsvLink, csvAnswer, TableSection, wantsCsv } from '../../web/table.tsx';
import { pathOf } from '../paths.ts';
import { framed, type PropertyRequest } from '../site.tsx';
import { amountIn, BookingLink, more, timeColumn } from './columns.tsx';

const { columns: names, virtualCards: copy } = words;

/** How many cards a page shows, and a file has at most. */
const SHOWN = 20;
const MOST_IN_FILE = 1_000;

/** Shows a property's virtual cards in one state, or all of them, or these as a file. */
export async function showVirtualCards(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const asked = c.req.query('state');
  const state = VIRTUAL_STATES.find((one) => one === asked);
  const nowMs = propertyNow(property);
  const limit = wantsCsv(c) ? MOST_IN_FILE : SHOWN;
  const part = shownPart('virtualCards', property.id, { limit, cursor: c.req.query('after') });
  const found = await listVirtualCards(c.get('database'), property.id, { state, nowMs }, part);
  const columns = columnsOf(property, nowMs);
  if (wantsCsv(c)) return csvAnswer(c, `virtual-cards-${property.id}`, columns, found.rows);
  const next = cursorAfter('virtualCards', property.id, found);
  const query = { property: property.id, ...(state && { state }) };
  const content = (
    <>
      <States property={property.id} current={state} />
      <p class="soft">{copy.intro({ timeZone: property.timeZone })}</p>
      <TableSection
        id="virtual-cards"
        heading={copy.title}
        caption={copy.caption}
        columns={columns}
        rows={found.rows}
        empty={copy.empty}
      >
        {next !== null && (
          <LinkLine href={pathOf('virtual', { ...query, after: next })} text={words.list.more} />
        )}
        {found.rows.length > 0 && <CsvLink path={pathOf('virtual', query)} />}
      </TableSection>
    </>
  );
  return page(c, 200, framed(request, { title: copy.title, here: 'virtual' }, content));
}

function States({
  property,
  current,
}: {
  readonly property: string;
  readonly current: VirtualState | undefined;
}) {
  const all = { name: copy.all, href: pathOf('virtual', { property }) };
  const tabs = [
    { ...all, isCurrent: current === undefined },
    ...VIRTUAL_STATES.map((state) => ({
      name: copy.states[state],
      href: pathOf('virtual', { property, state }),
      isCurrent: state === current,
    })),
  ];
  return <Tabs name={copy.choose} tabs={tabs} />;
}

function columnsOf(property: PropertyRow, nowMs: number): Column<VirtualCardToShow>[] {
  const { currency } = property;
  const amount = (name: string, minorOf: (card: VirtualCardToShow) => number | null) =>
    amountIn(currency, name, minorOf);
  return [
    {
      name: names.booking,
      text: ({ bookingReference }) => bookingReference,
      cell: ({ bookingReference }) => (
        <BookingLink property={property.id} reference={bookingReference} />
      ),
    },
    { name: copy.channel, isMore: true, text: ({ virtual }) => virtual.channel, cell: channelOf },
    { name: names.card, isMore: true, text: ({ masked }) => masked },
    { name: copy.state, text: (card) => copy.states[stateOf(card, nowMs)] },
    more(timeColumn(copy.from, ({ virtual }) => virtual.activeFromMs, property)),
    more(timeColumn(copy.until, ({ virtual }) => virtual.activeUntilMs, property)),
    more(amount(copy.limit, ({ virtual }) => virtual.limitMinor)),
    more(amount(copy.taken, ({ takenMinor }) => takenMinor)),
    more(amount(copy.remaining, remainingOf)),
    amount(copy.due, ({ dueMinor }) => dueMinor),
    { name: names.currency, isForFiles: true, text: () => currency },
  ];
}

function channelOf({ virtual: { channel } }: VirtualCardToShow) {
  return channel === null ? '–' : <bdi>{channel}</bdi>;
}
