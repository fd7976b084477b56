import { declineWords } from '../../../core/words/declines.ts';
import type { History } from '../../../money/folio/history.ts';
import type { PricedEffect } from '../../../money/guest/cardEffect.ts';
import {
  askedOfGuest,
  chargedOnNewest,
  effectOfNewCard,
  scheduledOnNewest,
} from '../../../money/recovery/guestView.ts';
import { reason } from '../../../money/recovery/reminder.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { Notice } from '../../web/page.tsx';
import { scheduledLine } from '../rules/planWords.ts';
import { useGuest, useReader } from './reader.tsx';

/** A booking's payments, some of which a new card takes over. */
interface OfBooking {
  readonly history: History;
}

/** Says why the guest is asked, and what can be done: another card, or paying now. */
export function AskedNotice() {
  const { folio, home } = useGuest();
  const asked = askedOfGuest(folio);
  if (asked.length === 0) return null;
  const reader = useReader();
  const { recovery } = reader.words;
  const { timeZone } = folio.state.property;
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

/** Says, before a card is added, which charges it takes over and what it is charged at once. */
export function NewCardEffect({
  history,
  effect: { charged },
}: OfBooking & { readonly effect: PricedEffect }) {
  const { money, words } = useReader();
  const { recovery } = words;
  return (
    <>
      {charged.length > 0 && (
        <Notice kind="info" text={recovery.chargedAtOnce}>
          <ul>
            {charged.map(({ charge, amountMinor, feeMinor }) => (
              <li>
                {recovery.declinedBefore({ amount: money(amountMinor, charge.currency) })}
                {(feeMinor ?? 0) > 0 &&
                  `, ${words.payments.withFee({ fee: money(feeMinor ?? 0, charge.currency) })}`}
              </li>
            ))}
          </ul>
          {charged.some(({ feeMinor }) => feeMinor === null) && <p>{recovery.feeComes}</p>}
        </Notice>
      )}
      <MovedCharges history={history} />
    </>
  );
}

/** Says which scheduled charges a new card takes over. A card that pays is charged nothing besides. */
export function MovedCharges({ history }: OfBooking) {
  const { words } = useReader();
  const { moved } = effectOfNewCard(history, propertyNow(history.state.property));
  if (moved.length === 0) return null;
  return (
    <Notice kind="info" text={words.recovery.moved}>
      <Scheduled rows={moved} history={history} />
    </Notice>
  );
}

/** Says, after a card was added, what is charged to it: what was declined before, and what is scheduled. */
export function AddedCard({ leadsToPay }: { readonly leadsToPay: boolean }) {
  const { results } = useReader().words;
  const history = useGuest().folio;
  const scheduled = scheduledOnNewest(history);
  const isToPay = leadsToPay && chargedOnNewest(history).length === 0;
  return (
    <>
      <Notice kind="good" focus>
        <p>{isToPay ? <a href="#pay">{results.cardAdded}</a> : results.cardAddedOnly}</p>
        <ChargedOnIt history={history} />
        {scheduled.length > 0 && (
          <>
            <p>{results.movedToIt}</p>
            <Scheduled rows={scheduled} history={history} />
          </>
        )}
      </Notice>
      <FailedOnIt history={history} />
    </>
  );
}

/** What was charged to a new card at once, or is being charged. */
export function ChargedOnIt({ history }: OfBooking) {
  const { money, words } = useReader();
  const { chargedNow, confirming } = words.results;
  const charged = chargedOnNewest(history);
  const said = ({ amountMinor, currency, status }: TransactionRow) =>
    (status === 'Accepted' ? chargedNow : confirming)({ amount: money(amountMinor, currency) });
  return (
    <>
      {(['Accepted', 'Processing'] as const).map((shown) =>
        charged.filter(({ status }) => status === shown).map((row) => <p>{said(row)}</p>),
      )}
    </>
  );
}

/** What could not be charged to a new card. */
export function FailedOnIt({ history }: OfBooking) {
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

function Scheduled({ rows, history }: OfBooking & { readonly rows: readonly TransactionRow[] }) {
  const reader = useReader();
  const { timeZone } = history.state.property;
  return (
    <ul>
      {rows.map((row) => (
        <li>{scheduledLine(row, timeZone, reader)}</li>
      ))}
    </ul>
  );
}
