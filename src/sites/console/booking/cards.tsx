import { localDate } from '../../../core/time.ts';
import { day, instant, money } from '../../../desk/format.ts';
import { cardCopy, words } from '../../../desk/words.ts';
import { cardExpired } from '../../../money/payments/rules.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import { remainingOf } from '../../../records/cards/rules/virtual.ts';
import { isOfFormerAccount } from '../../../records/cards/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { type Column, TableSection } from '../../web/table.tsx';
import { useFile } from '../site.tsx';

const { cards: copy } = words.booking;

/** What a virtual card may be charged: from whom it is, when, and what remains. */
function termsOf(card: CardRow, { currency, timeZone }: PropertyRow): (string | false)[] {
  if (card.virtual === null) return [];
  const { activeFromMs, activeUntilMs, channel } = card.virtual;
  const remainingMinor = remainingOf(card);
  return [
    copy.virtual({ channel: channel === null ? '' : copy.virtualOf({ channel }) }),
    copy.virtualFrom({ time: instant(activeFromMs, timeZone) }),
    activeUntilMs !== null && copy.virtualUntil({ time: instant(activeUntilMs, timeZone) }),
    remainingMinor !== null && copy.remaining({ amount: money(remainingMinor, currency) }),
  ];
}

/** The cards on file: whose, until when, and which one is charged. */
export function Cards() {
  const { state } = useFile();
  const { timeZone } = state.property;
  const used = cardInUse(state);
  const notesOn = (card: CardRow) =>
    [
      card.token === used?.token && copy.inUse,
      cardExpired(card, timeZone, propertyNow(state.property)) && copy.expired,
      isOfFormerAccount(state.property, card) && copy.former,
      ...termsOf(card, state.property),
    ]
      .filter(Boolean)
      .join(', ');
  const columns: Column<CardRow>[] = [
    { name: words.columns.card, text: cardCopy },
    {
      name: copy.until,
      text: ({ expiryMonth, expiryYear }) =>
        `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`,
    },
    { name: copy.holder, isMore: true, cell: ({ holderName }) => <bdi>{holderName ?? '–'}</bdi> },
    {
      name: copy.since,
      isMore: true,
      text: ({ createdAtMs }) => day(localDate(createdAtMs, timeZone)),
    },
    { name: copy.note, text: notesOn },
  ];
  return <TableSection id="cards" {...copy} columns={columns} rows={state.cards} />;
}
