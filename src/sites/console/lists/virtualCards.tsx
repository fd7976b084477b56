import { words } from '../../../desk/words.ts';
import { listVirtualCards } from '../../../money/virtualCards/list.ts';
import { stateOf, type VirtualCardToShow } from '../../../money/virtualCards/views.ts';
import {
  remainingOf,
  VIRTUAL_STATES,
  type VirtualState,
} from '../../../records/cards/rules/virtual.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { page, Tabs } from '../../web/page.tsx';
import { type Column, wantsCsv } from '../../web/table.tsx';
import { pathOf } from '../paths.ts';
import { framed, type PropertyRequest } from '../site.tsx';
import { amountIn, BookingLink, more, timeColumn } from './columns.tsx';
import { askedOf, type ListOf, viewOf } from './list.tsx';

const { columns: names, virtualCards: copy } = words;

/** Shows a property's virtual cards in one state, or all of them, or these as a file. */
export async function showVirtualCards(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const asked = c.req.query('state');
  const state = VIRTUAL_STATES.find((one) => one === asked);
  const view = viewOf(request);
  const place = { path: 'virtual', query: state && { state } };
  const { file, part, section } = askedOf(c, listOf(property), view, place);
  const filter = { state, nowMs: view.nowMs };
  const found = await listVirtualCards(c.get('database'), property.id, filter, part);
  if (wantsCsv(c)) return file(found);
  const content = (
    <>
      <States property={property.id} current={state} />
      <p class="soft">{copy.intro({ timeZone: property.timeZone })}</p>
      {section(found)}
    </>
  );
  return page(c, 200, framed(request, { title: copy.title, here: 'virtual' }, content));
}

function listOf(property: PropertyRow): ListOf<VirtualCardToShow> {
  return {
    copy: { ...copy, heading: copy.title },
    name: 'virtualCards',
    file: 'virtual-cards',
    key: ({ virtual, token }) => [virtual.activeFromMs, token],
    columns: ({ nowMs }) => columnsOf(property, nowMs),
  };
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
