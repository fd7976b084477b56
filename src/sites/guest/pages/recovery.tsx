import { declineWords } from '../../../core/words/declines.ts';
import type { History } from '../../../money/folio/history.ts';
import {
  askedOfGuest,
  chargedOnNewest,
  effectOfNewCard,
  scheduledOnNewest,
} from '../../../money/recovery/guestView.ts';
import { reason } from '../../../money/recovery/reminderMail.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
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
          : recovery.orPayBy({ time: reader.instant(Math.min(...deadlines), timeZone) })}
      </p>
    </Notice>
  );
}

/** What a new card changes, before it is entered. */
interface Effect {
  readonly history: History;
  readonly nowMs: number;
}

/** Says, before a card is added, which charges it takes over and what it is charged at once. */
export function NewCardEffect({ history, nowMs }: Effect) {
  const { money, words } = useReader();
  const { charged } = effectOfNewCard(history, nowMs);
  return (
    <>
      {charged.length > 0 && (
        <Notice kind="info">
          <p>{words.recovery.chargedAtOnce}</p>
          <ul>
            {charged.map(({ charge, amountMinor }) => (
              <li>
                {words.recovery.declinedBefore({ amount: money(amountMinor, charge.currency) })}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <MovedCharges history={history} nowMs={nowMs} />
    </>
  );
}

/** Says which scheduled charges a new card takes over. A card that pays is charged nothing besides. */
export function MovedCharges({ history, nowMs }: Effect) {
  const { words } = useReader();
  const { moved } = effectOfNewCard(history, nowMs);
  if (moved.length === 0) return null;
  return (
    <Notice kind="info">
      <p>{words.recovery.moved}</p>
      <Scheduled rows={moved} timeZone={history.state.property.timeZone} />
    </Notice>
  );
}

/** Says, after a card was added, what is charged to it: what was declined before, and what is scheduled. */
export function AddedCard({ history }: { readonly history: History }) {
  const { results } = useReader().words;
  const scheduled = scheduledOnNewest(history);
  const isOnlyAdded = chargedOnNewest(history).length === 0;
  return (
    <>
      <Notice kind="good" focus>
        <p>{isOnlyAdded ? <a href="#pay">{results.cardAdded}</a> : results.cardAddedOnly}</p>
        <ChargedOnIt history={history} />
        {scheduled.length > 0 && (
          <>
            <p>{results.movedToIt}</p>
            <Scheduled rows={scheduled} timeZone={history.state.property.timeZone} />
          </>
        )}
      </Notice>
      <FailedOnIt history={history} />
    </>
  );
}

/** What was charged to a new card at once, or is being charged. */
export function ChargedOnIt({ history }: { readonly history: History }) {
  const { money, words } = useReader();
  const { results } = words;
  const charged = chargedOnNewest(history);
  return (
    <>
      {charged
        .filter(({ status }) => status === 'Accepted')
        .map((row) => (
          <p>{results.chargedNow({ amount: money(row.amountMinor, row.currency) })}</p>
        ))}
      {charged
        .filter(({ status }) => status === 'Processing')
        .map((row) => (
          <p>{results.confirming({ amount: money(row.amountMinor, row.currency) })}</p>
        ))}
    </>
  );
}

/** What could not be charged to a new card. */
export function FailedOnIt({ history }: { readonly history: History }) {
  const { money, words } = useReader();
  const { results } = words;
  const failed = chargedOnNewest(history).filter(
    ({ status }) => status === 'Declined' || status === 'Failed',
  );
  return failed.map((row) => (
    <Notice kind="bad">
      <p>
        {results.failedOnIt({ amount: money(row.amountMinor, row.currency) })}{' '}
        {row.status === 'Declined' && `${declineWords(words, row.declineCode)} `}
        {results.notCharged}
      </p>
    </Notice>
  ));
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
          {words.scheduled.line({
            amount: money(row.amountMinor, row.currency),
            time: instant(row.dueAtMs ?? row.scheduledAtMs ?? row.createdAtMs, timeZone),
          })}
        </li>
      ))}
    </ul>
  );
}
