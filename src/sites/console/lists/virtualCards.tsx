import { cardCopy, words } from '../../../desk/words.ts';
import { listVirtualCards } from '../../../money/virtualCards/list.ts';
import { stateOf, type VirtualCardToShow } from '../../../money/virtualCards/views.ts';
import { remainingOf, VIRTUAL_STATES } from '../../../records/cards/rules/virtual.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { page, Tabs } from '../../web/page.tsx';
import { type Column, wantsCsv } from '../../web/table.tsx';
import { pathOf } from '../paths.ts';
import { framed, type PropertyRequest } from '../site.tsx';
import { amountIn, bookingColumns, currencyOfAll, more, timeColumn } from './columns.tsx';
import { askedOf, type ListOf, viewOf } from './list.tsx';

const { columns: names, virtualCards: copy } = words;

/** Shows a property's virtual cards in one state, or all of them, or these as a file. */
export async function showVirtualCards(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const asked = c.req.query('state');
  const state = VIRTUAL_STATES.find((one) => one === asked);
  const view = viewOf(request);
  const place = { path: 'virtual', query: state && { state } };
  const list: ListOf<VirtualCardToShow> = {
    copy: { ...copy, heading: copy.title },
    name: 'virtualCards',
    file: 'virtual-cards',
    key: ({ virtual, token }) => [virtual.activeFromMs, token],
    columns: ({ nowMs }) => columnsOf(property, nowMs),
  };
  const { file, part, section } = askedOf(c, list, view, place);
  const filter = { state, nowMs: view.nowMs };
  const found = await listVirtualCards(c.get('database'), property.id, filter, part);
  if (wantsCsv(c)) return file(found);
  const content = (
    <>
      <Tabs
        name={copy.choose}
        tabs={[undefined, ...VIRTUAL_STATES].map((one) => ({
          name: one === undefined ? copy.all : copy.states[one],
          href: pathOf('virtual', { property: property.id, ...(one && { state: one }) }),
          isCurrent: one === state,
        }))}
      />
      <p class="soft">{copy.intro({ timeZone: property.timeZone })}</p>
      {section(found)}
    </>
  );
  return page(c, 200, framed(request, { title: copy.title, here: 'virtual' }, content));
}

function columnsOf(property: PropertyRow, nowMs: number): Column<VirtualCardToShow>[] {
  const { currency } = property;
  const amount = (name: string, minorOf: (card: VirtualCardToShow) => number | null) =>
    amountIn(currency, name, minorOf);
  return [
    ...bookingColumns(property),
    {
      name: copy.channel,
      isMore: true,
      text: ({ virtual }) => virtual.channel,
      cell: ({ virtual }) => (virtual.channel === null ? '–' : <bdi>{virtual.channel}</bdi>),
    },
    { name: names.card, isMore: true, text: cardCopy },
    { name: copy.state, text: (card) => copy.states[stateOf(card, nowMs)] },
    more(timeColumn(copy.from, ({ virtual }) => virtual.activeFromMs, property)),
    more(timeColumn(copy.until, ({ virtual }) => virtual.activeUntilMs, property)),
    more(amount(copy.limit, ({ virtual }) => virtual.limitMinor)),
    more(amount(copy.taken, ({ takenMinor }) => takenMinor)),
    more(amount(copy.remaining, remainingOf)),
    amount(copy.due, ({ dueMinor }) => dueMinor),
    currencyOfAll(currency),
  ];
}
