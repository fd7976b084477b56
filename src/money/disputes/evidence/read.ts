import { personName } from '../../../core/format.ts';
import { storedDecimal } from '../../../core/money.ts';
import { pick } from '../../../core/pick.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import { offsetTimestamp } from '../../../core/time.ts';
import { selectDisputesOfBooking, selectRefunds } from '../../../operation/shownStore.ts';
import type { Database } from '../../../platform/db/database.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { selectOfBooking } from '../../../records/applications/store.ts';
import { selectBooking } from '../../../records/bookings/store.ts';
import { selectGuestActs } from '../../../records/guestActs/store.ts';
import type { BookingRow } from '../../../schema/bookingTables.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { GuestActRow } from '../../../schema/guestActTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import {
  selectTransaction,
  selectTransactionCards,
  selectTransactions,
} from '../../payments/store.ts';
import { DISPUTE_NOT_FOUND } from '../rules.ts';
import { readDispute, type StagedDispute, selectEvidence } from '../store.ts';
import { latestOf } from './rules/earlier.ts';
import { missingFor } from './rules/packs.ts';
import { policyWords } from './rules/policy.ts';
import { stayOf } from './rules/stay.ts';
import { suggestedTexts } from './rules/suggested.ts';
import {
  MOST_EARLIER,
  MOST_SHOWN,
  selectCardOf,
  selectChanges,
  selectEarlierArchived,
  selectEarlierPayments,
  selectSentMails,
} from './store.ts';
import type { EvidenceView, Facts } from './views.ts';

/** The evidence about a dispute, with what it is about. */
export interface Evidence {
  readonly dispute: StagedDispute;
  readonly property: PropertyRow;
  readonly view: EvidenceView;
  /** What the bank was sent, by the acquirer's names of its fields; null for nothing, and once the guest is erased. */
  readonly sent: Readonly<Record<string, string>> | null;
}

/**
 * Gathers all that is known about a disputed charge (interface: Get the evidence). `baseUrl` is the public URL of this
 * service, below which the documents are. Three round trips.
 */
export async function readEvidence(
  database: Database,
  propertyId: string,
  disputeId: string,
  baseUrl: string,
): Promise<Result<Evidence>> {
  const dispute = await readDispute(database, propertyId, disputeId);
  const read = dispute && (await readAbout(database, dispute));
  if (!read) return err(DISPUTE_NOT_FOUND);
  const { property, transactions } = read;
  const { reason, respondByMs, transactionId: chargeId } = dispute;
  const facts = factsOf(read);
  const gatewayIds = transactions.flatMap(({ gatewayReference, id }) =>
    gatewayReference === null ? [] : [[id, gatewayReference] as const],
  );
  const about = { property: property.name, chargeId, reason, gatewayIds: new Map(gatewayIds) };
  const query = new URLSearchParams({ disputeId });
  const terms = property.contact?.termsUrl;
  return ok({
    dispute,
    property,
    sent: read.evidence?.texts ?? null,
    view: {
      disputeId,
      reason,
      respondBy: respondByMs === null ? null : offsetTimestamp(respondByMs, property.timeZone),
      facts,
      documents: [
        {
          kind: 'evidence',
          title: 'All that is known about the charge',
          url: `${baseUrl}/dispute/v1/evidence.pdf?${query.toString()}`,
        },
        ...(terms === undefined
          ? []
          : [{ kind: 'terms', title: `Terms of ${property.name}`, url: terms } as const]),
      ],
      missing: missingFor(reason, chargeId, facts),
      suggested: suggestedTexts(facts, about),
    },
  });
}

type Read = NonNullable<Awaited<ReturnType<typeof readAbout>>>;

async function readAbout(database: Database, dispute: StagedDispute) {
  const { bookingReference: reference, propertyId } = dispute;
  const name = { propertyId, reference };
  const [[charge], [card]] = await database.batch('d1.dispute.read', [
    selectTransaction({ ...name, id: dispute.transactionId }),
    selectCardOf(propertyId, dispute.transactionId),
  ]);
  if (!charge || !card) return null;
  const [
    [property],
    [booking],
    cards,
    applications,
    transactions,
    used,
    refunds,
    disputes,
    changes,
    mails,
    acts,
    earlier,
    earlierArchived,
    [evidence],
  ] = await database.batch('d1.dispute.read', [
    ...selectBooking(propertyId, reference),
    selectOfBooking(name),
    selectTransactions(name),
    selectTransactionCards(name),
    selectRefunds(propertyId, reference),
    selectDisputesOfBooking(propertyId, reference),
    selectChanges(name),
    selectSentMails(name),
    selectGuestActs(name, MOST_SHOWN),
    selectEarlierPayments(name, charge, card),
    selectEarlierArchived(name, charge, card),
    selectEvidence(dispute.answerReference ?? ''),
  ]);
  if (!property || !booking) return null;
  const about = { property, booking, cards: [...cards, ...used], applications, transactions };
  const paidBefore = latestOf([...earlier, ...earlierArchived], MOST_EARLIER);
  return { ...about, refunds, disputes, changes, mails, acts, earlier: paidBefore, evidence };
}

function factsOf(read: Read): Facts {
  const { acts, booking, earlier, property } = read;
  const { timeZone } = property;
  const at = (ms: number) => offsetTimestamp(ms, timeZone);
  const orNull = (ms: number | null) => (ms === null ? null : at(ms));
  const stay = stayOf(booking, read.applications, propertyNow(property), timeZone);
  return {
    booking: bookingFacts(booking, at),
    changes: read.changes.toReversed().map((one) => ({
      at: at(one.atMs),
      by: one.actorName ?? one.actor,
      what: one.subjectKind,
      from: one.from,
      to: one.to ?? '',
      detail: one.detail,
    })),
    policy: booking.cancellationPolicy && {
      words: policyWords(booking.cancellationPolicy, booking.currency),
      disclosedAt: at(booking.cancellationPolicy.disclosedAtMs),
    },
    agreements: agreements(acts, read.transactions, at),
    payments: read.transactions.map((row) => payment(row, read, at)),
    refunds: read.refunds.map((one) => ({
      refundId: one.id,
      chargeId: one.transactionId,
      amount: storedDecimal(one.amountMinor, one.currency),
      currency: one.currency,
      status: one.status,
      askedAt: at(one.createdAtMs),
      refundedAt: one.status === 'Refunded' ? orNull(one.completedAtMs) : null,
    })),
    mails: read.mails.map(({ completedAtMs, kind }) => ({ kind, sentAt: at(completedAtMs ?? 0) })),
    openings: acts
      .filter(({ kind }) => kind === 'opened')
      .map(({ atMs, browser, ipAddress }) => ({ at: at(atMs), ipAddress, browser })),
    stay: {
      happened: stay.happened,
      status: stay.status,
      arrivedAt: orNull(stay.arrivedAtMs),
      departedAt: orNull(stay.departedAtMs),
    },
    earlierPayments: earlier.map((one) => ({
      chargeId: one.id,
      bookingReference: one.bookingReference,
      amount: storedDecimal(one.amountMinor, one.currency),
      currency: one.currency,
      at: at(one.completedAtMs ?? 0),
    })),
  };
}

type At = (ms: number) => string;

function bookingFacts(booking: BookingRow, at: At): Facts['booking'] {
  const { address, city, country, postCode, state } = booking.guest ?? {};
  const lines = [address, postCode, city, state, country].filter(Boolean);
  return {
    ...pick(booking, 'reference', 'status'),
    guest: personName(booking.firstName, booking.lastName),
    ...pick(booking, 'email', 'phone'),
    address: lines.length === 0 ? null : lines.join(', '),
    ...pick(booking, 'arrival', 'departure'),
    totalCost: storedDecimal(booking.totalCostMinor, booking.currency),
    ...pick(booking, 'currency', 'source', 'pmsConfirmationNumber'),
    madeAt: at(booking.createdAtMs),
  };
}

function agreements(
  acts: readonly GuestActRow[],
  transactions: readonly TransactionRow[],
  at: At,
): Facts['agreements'] {
  return acts.flatMap(({ kind, ...act }) => {
    if (kind === 'opened') return [];
    const charge = transactions.find(({ reference }) => reference === act.subjectId);
    const { browser, ipAddress, language, words } = act;
    return [
      {
        kind,
        at: at(act.atMs),
        language: language ?? '',
        words: words ?? '',
        chargeId: kind === 'payment' ? (charge?.id ?? null) : null,
        ipAddress,
        browser,
      },
    ];
  });
}

function payment(
  row: TransactionRow,
  { cards, disputes }: Pick<Read, 'cards' | 'disputes'>,
  at: At,
): Facts['payments'][number] {
  const card: CardRow | undefined = cards.find(({ token }) => token === row.cardToken);
  return {
    chargeId: row.id,
    amount: storedDecimal(row.amountMinor, row.currency),
    ...pick(row, 'currency', 'status', 'initiator', 'description'),
    at: at(row.completedAtMs ?? row.createdAtMs),
    cardType: card?.brand ?? '',
    cardNumber: card?.last4 ?? '',
    cardHolderName: card?.holderName ?? null,
    bankStep: bankStepOf(row, at),
    disputed: disputes.some(({ transactionId }) => transactionId === row.id),
  };
}

function bankStepOf(
  { bankAskedAtMs, status }: TransactionRow,
  at: At,
): Facts['payments'][number]['bankStep'] {
  if (bankAskedAtMs === null) return null;
  const isTaken = status === 'Accepted' || status === 'Authorized';
  const ended = isTaken ? 'confirmed' : 'notConfirmed';
  return { askedAt: at(bankAskedAtMs), result: status === 'Processing' ? 'open' : ended };
}
