import type { History } from '../../../money/folio/history.ts';
import { reason } from '../../../money/recovery/askingWords.ts';
import {
  askedOfGuest,
  chargedOnNewest,
  effectOfNewCard,
  scheduledOnNewest,
} from '../../../money/recovery/guestView.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import { declineWords } from '../../../platform/words/declines.ts';
import { Notice } from '../../web/notice.tsx';
import { useReader } from './reader.tsx';

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
  const reader = useReader();
  const { recovery } = reader.words;
  const { timeZone } = history.state.property;
  const deadlines = asked.flatMap(({ deadlineAtMs }) =>
    deadlineAtMs === null ? [] : [deadlineAtMs],
  );
  return (
    <Notice kind="bad">
      <h2>{recovery.heading}</h2>
      {asked.map((one) => (
        <p>{reason(one, timeZone, reader)}</p>
      ))}
      <p>
        <a href={`${home}/card`}>{recovery.replace}</a>{' '}
        {deadlines.length === 0
          ? recovery.orPay
          : recovery.orPayBy(reader.instant(Math.min(...deadlines), timeZone))}
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
  const { money, words } = useReader();
  const { moved, charged } = effectOfNewCard(history, nowMs);
  if (moved.length === 0 && charged.length === 0) return null;
  const { timeZone } = history.state.property;
  return (
    <Notice kind="info">
      {charged.length > 0 && (
        <>
          <p>{words.recovery.chargedAtOnce}</p>
          <ul>
            {charged.map(({ charge, amountMinor }) => (
              <li>{words.recovery.declinedBefore(money(amountMinor, charge.currency))}</li>
            ))}
          </ul>
        </>
      )}
      {moved.length > 0 && (
        <>
          <p>{words.recovery.moved}</p>
          <Scheduled rows={moved} timeZone={timeZone} />
        </>
      )}
    </Notice>
  );
}

/** Says, after a card was added, what is charged to it: what was declined before, and what is scheduled. */
export function AddedCard({ history }: { readonly history: History }) {
  const { money, words } = useReader();
  const { results } = words;
  const { timeZone } = history.state.property;
  const charged = chargedOnNewest(history);
  const scheduled = scheduledOnNewest(history);
  const isOnlyAdded = charged.length === 0;
  return (
    <>
      <Notice kind="good" focus>
        <p>{isOnlyAdded ? <a href="#pay">{results.cardAdded}</a> : results.cardAddedOnly}</p>
        {charged
          .filter(({ status }) => status === 'Accepted')
          .map((row) => (
            <p>{results.chargedNow(money(row.amountMinor, row.currency))}</p>
          ))}
        {charged
          .filter(({ status }) => status === 'Processing')
          .map((row) => (
            <p>{results.confirming(money(row.amountMinor, row.currency))}</p>
          ))}
        {scheduled.length > 0 && (
          <>
            <p>{results.movedToIt}</p>
            <Scheduled rows={scheduled} timeZone={timeZone} />
          </>
        )}
      </Notice>
      {charged
        .filter(({ status }) => status === 'Declined' || status === 'Failed')
        .map((row) => (
          <Notice kind="bad">
            <p>
              {results.failedOnIt(money(row.amountMinor, row.currency))}{' '}
              {row.status === 'Declined' && `${declineWords(words, row.declineCode)} `}
              {results.notCharged}
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
  const { instant, money, words } = useReader();
  return (
    <ul>
      {rows.map((row) => (
        <li>
          {words.scheduled.line(
            money(row.amountMinor, row.currency),
            instant(row.dueAtMs ?? row.scheduledAtMs ?? row.createdAtMs, timeZone),
          )}
        </li>
      ))}
    </ul>
  );
}
