import { isolated } from '../../../core/format.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import { declineWords } from '../../../core/words/declines.ts';
import { isAtBank } from '../../../money/payments/rules.ts';
import { Notice } from '../../web/notice.tsx';
import type { Offer } from '../offer.ts';
import type { PayIssues } from '../payForm.ts';
import type { Folio } from '../readFolio.ts';
import { ErrorSummary, useCardIssues } from './cardFields.tsx';
import { Cards } from './cards.tsx';
import { Layout } from './layout.tsx';
import { Pay, type PayProps } from './pay.tsx';
import { Payments } from './payments.tsx';
import { useReader } from './reader.tsx';
import { AddedCard, AskedNotice } from './recovery.tsx';
import { Amounts, Stay } from './stay.tsx';

/** What the guest's last action did; the page shows it first. `not-charged`: certainly not. */
export type LastAction =
  | { readonly kind: 'none' | 'card-added' | 'card-removed' | 'payment-cancelled' | 'not-charged' }
  | { readonly kind: 'declined'; readonly declineCode: string | null }
  | { readonly kind: 'error'; readonly text: string };

/** A booking's page: the stay, the amounts, a form to pay, the payments and the cards. */
export function FolioPage({
  lastAction,
  offer,
  ...props
}: Omit<PayProps, 'offer'> & {
  readonly lastAction: LastAction;
  /** Null for a booking that takes no payment. */
  readonly offer: Offer | null;
}) {
  const { folio, home, issues, nowMs } = props;
  const { property, booking } = folio.state;
  const cancelled = booking.status === 'cancelled';
  const texts = useReader().words.booking;
  const isError = lastAction.kind === 'error' || Object.keys(issues).length > 0;
  return (
    <Layout
      title={texts.title}
      heading={cancelled ? texts.cancelledHeading : texts.title}
      property={property}
      isError={isError}
      scripts={offer?.element?.page.scripts ?? []}
    >
      <PayIssueSummary issues={issues} />
      <LastActionNotice lastAction={lastAction} home={home} folio={folio} />
      {lastAction.kind === 'none' && <RecentPayment folio={folio} home={home} nowMs={nowMs} />}
      <UnderWayNotice folio={folio} home={home} />
      {!cancelled && <AskedNotice history={folio} home={home} />}
      {cancelled && (
        <Notice kind="info">
          <p>{texts.cancelled({ property: isolated(property.name) })}</p>
        </Notice>
      )}
      <Stay folio={folio} nowMs={nowMs} />
      <Amounts folio={folio} />
      {offer && <Pay {...props} offer={offer} />}
      <Payments folio={folio} home={home} />
      <Cards folio={folio} home={home} nowMs={nowMs} />
    </Layout>
  );
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

function said(kind: 'good' | 'info' | 'bad', text: string) {
  return (
    <Notice kind={kind} focus>
      <p>{text}</p>
    </Notice>
  );
}

function LastActionNotice({
  lastAction,
  home,
  folio,
}: {
  readonly lastAction: LastAction;
  readonly home: string;
  readonly folio: Folio;
}) {
  const { words } = useReader();
  const { results } = words;
  switch (lastAction.kind) {
    case 'none':
      return null;
    case 'card-added':
      return <AddedCard history={folio} />;
    case 'card-removed':
      return said('good', results.cardRemoved);
    case 'payment-cancelled':
      return said('info', results.cancelled);
    case 'not-charged':
      return said('bad', results.failed);
    case 'error':
      return said('bad', lastAction.text);
    case 'declined':
      return (
        <Notice kind="bad" focus>
          <h2>{results.declinedHeading}</h2>
          <p>
            {declineWords(words, lastAction.declineCode)} {results.notCharged}
          </p>
          <p>
            {results.tryAnother} <a href={`${home}/card`}>{words.cards.add}</a>
          </p>
        </Notice>
      );
  }
}

/** For how long the page reminds a guest of a payment that they just made. */
const RECENT_MS = 10 * MINUTE_MS;

/** Tells a guest who comes back from a payment that it is made, so that nobody pays twice. */
function RecentPayment({
  folio: { transactions },
  home,
  nowMs,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly nowMs: number;
}) {
  const { money, words } = useReader();
  const row = transactions.findLast(
    ({ completedAtMs, initiator, status }) =>
      initiator === 'guest' && status === 'Accepted' && (completedAtMs ?? 0) > nowMs - RECENT_MS,
  );
  if (!row) return null;
  return (
    <Notice kind="good">
      <p>
        {words.results.paid({ amount: money(row.amountMinor, row.currency) })}{' '}
        <a href={`${home}/receipt/${row.id}`}>{words.results.seeReceipt}</a>
      </p>
    </Notice>
  );
}

/** Tells a guest who comes back of their payments that have no outcome yet, and leads to each. */
function UnderWayNotice({ folio, home }: { readonly folio: Folio; readonly home: string }) {
  const { money, words } = useReader();
  const texts = words.underWay;
  const underWay = folio.transactions.filter(
    ({ initiator, status }) => initiator === 'guest' && status === 'Processing',
  );
  return underWay.map((row) => (
    <Notice kind="info">
      <p>
        {isAtBank(row)
          ? texts.atBank({ amount: money(row.amountMinor, row.currency) })
          : texts.confirming({ amount: money(row.amountMinor, row.currency) })}
      </p>
      <p>
        <a href={`${home}/receipt/${row.id}`}>
          {isAtBank(row) ? texts.continueAtBank : texts.look}
        </a>
      </p>
    </Notice>
  ));
}
