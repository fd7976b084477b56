import { isolated } from '../../../core/format.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import { declineWords } from '../../../core/words/declines.ts';
import { type Folio, keptMinor, owesSettlement, shownBalance } from '../../../money/guest/folio.ts';
import { isRefused } from '../../../money/guest/rules.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { LinkLine, Notice } from '../../web/page.tsx';
import type { PayIssues } from '../payForm.ts';
import type { Offer } from '../quote.ts';
import { Cancellation } from './cancel.tsx';
import { ErrorSummary, useCardIssues } from './cardFields.tsx';
import { Cards } from './cards.tsx';
import { Layout } from './layout.tsx';
import { isAnyProposed, Pay } from './pay.tsx';
import { Payments } from './payments.tsx';
import { OfferedPlans } from './plan.tsx';
import { useGuest, useReader } from './reader.tsx';
import { AddedCard, AskedNotice } from './recovery.tsx';
import { Stay } from './stay.tsx';
import { UnderWayNotice } from './underWay.tsx';

/** What the guest's last action did; the page shows it first. `not-charged`: certainly not. */
export type LastAction =
  | {
      readonly kind:
        | 'none'
        | 'card-added'
        | 'card-removed'
        | 'plan-chosen'
        | 'payment-cancelled'
        | 'not-charged';
    }
  | { readonly kind: 'declined'; readonly declineCode: string | null }
  | { readonly kind: 'error'; readonly text: string };

/** A booking's page: the stay, the amounts, a form to pay, the payments and the cards. */
export function FolioPage({
  lastAction,
  offer,
  issues,
}: {
  readonly lastAction: LastAction;
  /** Null for a booking that takes no payment. */
  readonly offer: Offer | null;
  /** What is wrong with the form that the guest sent. */
  readonly issues: PayIssues;
}) {
  const { folio, nowMs } = useGuest();
  const cancelled = folio.state.booking.status === 'cancelled';
  const texts = useReader().words.booking;
  const recent = recentPayment(folio, nowMs);
  // A guest who sends the form of another tab again, once all is paid, did nothing wrong.
  const isPaid = recent !== undefined && folio.balance.payableMinor === 0;
  const isError = !isPaid && (lastAction.kind === 'error' || Object.keys(issues).length > 0);
  const heading = cancelled ? texts.cancelledHeading : texts.title;
  return (
    <Layout title={texts.title} heading={heading} isError={isError}>
      {!isPaid && <PayIssueSummary issues={issues} />}
      {!(isPaid && lastAction.kind === 'error') && (
        <LastActionNotice lastAction={lastAction} offer={offer} />
      )}
      {recent && (lastAction.kind === 'none' || isPaid) && <RecentPayment row={recent} />}
      <UnderWayNotice />
      {(!cancelled || owesSettlement(folio)) && <AskedNotice />}
      {cancelled && <CancelledNotice />}
      <StayAndPay
        offer={offer}
        issues={issues}
        isAgain={isError || lastAction.kind === 'declined'}
      />
      <OfferedPlans />
      <Payments />
      {!cancelled && <Cancellation />}
      <Cards />
    </Layout>
  );
}

/** Says what the cancellation keeps, and what of that is still to pay. */
function CancelledNotice() {
  const { money, words } = useReader();
  const { folio } = useGuest();
  const { property, booking } = folio.state;
  const name = { property: isolated(property.name) };
  const told = (minor: number) => ({ ...name, amount: money(minor, booking.currency) });
  const kept = keptMinor(folio) ?? 0;
  const isLacking = folio.settlement?.status === 'incomplete';
  const owedMinor = isLacking ? shownBalance(folio).payableMinor : 0;
  return (
    <Notice kind="info">
      {kept > 0 && <p>{words.cancellation.kept(told(kept))}</p>}
      {!owesSettlement(folio) && (
        <p>{owedMinor > 0 ? words.cancellation.owed(told(owedMinor)) : words.booking.cancelled}</p>
      )}
      {folio.settlement?.terms.reason !== 'guest' && <p>{words.booking.notYou(name)}</p>}
    </Notice>
  );
}

/** Who tries again finds the form right below what went wrong: a phone's first screen has the card. */
function StayAndPay({
  offer,
  issues,
  isAgain,
}: {
  readonly offer: Offer | null;
  readonly issues: PayIssues;
  readonly isAgain: boolean;
}) {
  const pay = offer && <Pay offer={offer} issues={issues} />;
  return isAgain ? [pay, <Stay />] : [<Stay />, pay];
}

function PayIssueSummary({ issues }: { readonly issues: PayIssues }) {
  const { pay } = useReader().words;
  const { amount, card } = issues;
  const own = [
    ...(amount === undefined ? [] : [{ id: 'amount', label: pay.amountLegend, issue: amount }]),
    ...(card === undefined ? [] : [{ id: 'card-choice', label: pay.cardLegend, issue: card }]),
  ];
  return <ErrorSummary issues={[...own, ...useCardIssues(issues)]} />;
}

function LastActionNotice({
  lastAction,
  offer,
}: {
  readonly lastAction: LastAction;
  readonly offer: Offer | null;
}) {
  const { words } = useReader();
  const { results } = words;
  switch (lastAction.kind) {
    case 'none':
      return null;
    case 'card-added':
      return <AddedCard leadsToPay={offer !== null && isAnyProposed(offer)} />;
    case 'card-removed':
      return <Notice kind="good" focus text={results.cardRemoved} />;
    case 'plan-chosen':
      return <Notice kind="good" focus text={words.plan.chosen} />;
    case 'payment-cancelled':
      return <Notice kind="info" focus text={results.cancelled} />;
    case 'not-charged':
      return <Notice kind="bad" focus text={results.failed} />;
    case 'error':
      return <Notice kind="bad" focus text={lastAction.text} />;
    case 'declined':
      return (
        <Notice kind="bad" focus>
          <h2>{results.declinedHeading}</h2>
          <p>
            {declineWords(words, lastAction.declineCode)} {results.notCharged}
          </p>
          {isRefused({ status: 'Declined', declineCode: lastAction.declineCode }) && (
            <LinkLine href="#card-choice" text={results.tryAnother} />
          )}
        </Notice>
      );
  }
}

/** For how long the page reminds a guest of a payment that they just made. */
const RECENT_MS = 10 * MINUTE_MS;

/** The payment that the guest just made; of a cancelled booking, what they paid for the cancellation. */
function recentPayment(
  { settlement, state, transactions }: Folio,
  nowMs: number,
): TransactionRow | undefined {
  const isCancelled = state.booking.status === 'cancelled';
  const cancelledAtMs = isCancelled ? (settlement?.createdAtMs ?? nowMs) : 0;
  const sinceMs = Math.max(nowMs - RECENT_MS, cancelledAtMs);
  return transactions.findLast(
    ({ completedAtMs, initiator, status }) =>
      initiator === 'guest' && status === 'Accepted' && (completedAtMs ?? 0) > sinceMs,
  );
}

/** Tells a guest who comes back from a payment that it is made, so that nobody pays twice. */
function RecentPayment({ row }: { readonly row: TransactionRow }) {
  const { money, words } = useReader();
  const { home } = useGuest();
  return (
    <Notice kind="good">
      <p>
        {words.results.paid({ amount: money(row.amountMinor, row.currency) })}{' '}
        <a href={`${home}/receipt/${row.id}`}>{words.results.seeReceipt}</a>
      </p>
    </Notice>
  );
}
