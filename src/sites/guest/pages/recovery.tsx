import { instant, money } from '../../../core/format.ts';
import type { History } from '../../../money/folio/history.ts';
import { reason } from '../../../money/recovery/askingWords.ts';
import {
  askedOfGuest,
  chargedOnNewest,
  effectOfNewCard,
  scheduledOnNewest,
} from '../../../money/recovery/guestView.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import { declineCopy } from '../copy.ts';

/** Says why the guest is asked, and what can be done: another card, or paying now. */
export function AskedNotice({
  history,
  home,
}: {
  readonly history: History;
  /** The path of this session's pages. */
  readonly home: string;
}) {
  const asked = askedOfGuest(history);
  if (asked.length === 0) return null;
  const { timeZone } = history.state.property;
  const deadlines = asked.flatMap(({ deadlineAtMs }) =>
    deadlineAtMs === null ? [] : [deadlineAtMs],
  );
  return (
    <Notice kind="bad">
      <h2>Your card needs your attention</h2>
      {asked.map((one) => (
        <p>{reason(one, timeZone)}</p>
      ))}
      <p>
        Please <a href={`${home}/card`}>replace the card</a> or pay below
        {deadlines.length > 0 && `, by ${instant(Math.min(...deadlines), timeZone)}`}.
      </p>
    </Notice>
  );
}

/** Says, before a card is added, which charges it takes over and what it is charged at once. */
export function NewCardEffect({
  history,
  nowMs,
}: {
  readonly history: History;
  readonly nowMs: number;
}) {
  const { moved, charged } = effectOfNewCard(history, nowMs);
  if (moved.length === 0 && charged.length === 0) return null;
  const { timeZone } = history.state.property;
  return (
    <Notice kind="info">
      {charged.length > 0 && (
        <>
          <p>When you add this card, it is charged at once, plus any card fee:</p>
          <ul>
            {charged.map(({ charge, amountMinor }) => (
              <li>{money(amountMinor, charge.currency)}, which was declined before</li>
            ))}
          </ul>
        </>
      )}
      {moved.length > 0 && (
        <>
          <p>These scheduled charges will be made on this card:</p>
          <Scheduled rows={moved} timeZone={timeZone} />
        </>
      )}
    </Notice>
  );
}

/** Says, after a card was added, what is charged to it: what was declined before, and what is scheduled. */
export function AddedCard({ history }: { readonly history: History }) {
  const { timeZone } = history.state.property;
  const charged = chargedOnNewest(history);
  const scheduled = scheduledOnNewest(history);
  return (
    <>
      <Notice kind="good">
        <p>The card was added.</p>
        {charged
          .filter(({ status }) => status === 'Accepted')
          .map((row) => (
            <p>
              {money(row.amountMinor, row.currency)}, which was declined before, was charged to it.
            </p>
          ))}
        {charged
          .filter(({ status }) => status === 'Processing')
          .map((row) => (
            <p>
              The bank is still confirming the payment of {money(row.amountMinor, row.currency)}.
            </p>
          ))}
        {scheduled.length > 0 && (
          <>
            <p>These scheduled charges will be made on it:</p>
            <Scheduled rows={scheduled} timeZone={timeZone} />
          </>
        )}
      </Notice>
      {charged
        .filter(({ status }) => status === 'Declined' || status === 'Failed')
        .map((row) => (
          <Notice kind="bad">
            <p>
              The payment of {money(row.amountMinor, row.currency)} could not be made with this
              card. {row.status === 'Declined' && `${declineCopy(row.declineCode)} `}
              Nothing was charged.
            </p>
          </Notice>
        ))}
    </>
  );
}

function Scheduled({
  rows,
  timeZone,
}: {
  readonly rows: readonly TransactionRow[];
  readonly timeZone: string;
}) {
  return (
    <ul>
      {rows.map((row) => (
        <li>
          {money(row.amountMinor, row.currency)} on{' '}
          {instant(row.dueAtMs ?? row.scheduledAtMs ?? row.createdAtMs, timeZone)}
        </li>
      ))}
    </ul>
  );
}
