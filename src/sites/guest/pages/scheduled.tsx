import { isolated } from '../../../core/format.ts';
import type { Reader } from '../../../core/words/reader.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { cardName } from './cardLabel.tsx';
import { useReader } from './reader.tsx';

/** Says what is charged without the guest, when, and to which card; and that paying it now ends that. */
export function ScheduledNotice({ folio }: { readonly folio: Folio }) {
  const reader = useReader();
  const texts = reader.words.scheduled;
  const { balance, state, transactions } = folio;
  const rows = transactions.filter(
    ({ purpose, status }) => status === 'Pending' && purpose !== 'Bond',
  );
  if (rows.length === 0) return null;
  const isTooMuch = balance.scheduledMinor > balance.payableMinor;
  return (
    <Notice kind={isTooMuch ? 'bad' : 'info'}>
      <h3>{texts.heading}</h3>
      <ul>
        {rows.map((row) => (
          <li>{lineOf(row, folio, reader)}</li>
        ))}
      </ul>
      {isTooMuch && <p>{texts.notNeeded({ property: isolated(state.property.name) })}</p>}
      {!isTooMuch && balance.payableMinor > 0 && <p>{texts.payNow}</p>}
    </Notice>
  );
}

function lineOf(
  row: TransactionRow,
  { state, usedCards }: Folio,
  { instant, money, words }: Reader,
): string {
  const texts = words.scheduled;
  // A schedule that names no card charges the booking's card at that time.
  const named = usedCards.find(({ token }) => token === row.cardToken) ?? null;
  const card = row.cardNamed ? named : cardInUse(state);
  // After a soft decline, the retry is later than the scheduled time.
  const atMs = row.dueAtMs ?? row.scheduledAtMs ?? row.createdAtMs;
  const line = texts.line({
    amount: money(row.amountMinor, row.currency),
    time: instant(atMs, state.property.timeZone),
  });
  return card ? texts.onCard({ line, card: cardName(words, card) }) : texts.withoutCard({ line });
}
