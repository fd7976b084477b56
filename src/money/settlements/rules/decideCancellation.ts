import { type Failure, failure } from '../../../core/failure.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import { sumOf } from '../../../core/sum.ts';
import { type BookingState, bookingCancelled } from '../../../records/bookings/rules.ts';
import { bookingTotals, shareOf } from '../../../records/history/rules/totals.ts';
import type { ChargeTotals, OpenAmounts } from '../../../records/history/sums.ts';
import { keptMinor, ruleAt } from '../../../records/policies/rules.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { DisputeRow } from '../../../schema/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import type { PlanRow } from '../../../schema/planTables.ts';
import type { SettlementTerms } from '../../../schema/settlementTables.ts';
import type { AtGateway } from '../../payments/rules/cases.ts';
import { priceCapture } from '../../payments/rules/decideCapture.ts';
import { type DecidedCharge, decideCharge } from '../../payments/rules/decideCharge.ts';
import { allocate } from '../../refunds/rules.ts';

/** Why a booking is cancelled, and by what that is judged (interface: Quote a cancellation). */
export interface CancellationRequest {
  readonly reason: SettlementTerms['reason'];
  /** The moment that the rules of the policy are judged by. */
  readonly atMs: number;
  /** What is kept whatever the policy says; null for what it says. */
  readonly keep: { readonly amountMinor: number; readonly why: string } | null;
}

/** All that a cancellation is decided on, read before. */
export interface CancellationFacts {
  readonly state: BookingState;
  readonly totals: readonly ChargeTotals[];
  readonly open: OpenAmounts;
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  /** The accepted charges that may be refunded, Bonds too. */
  readonly refundable: readonly AtGateway[];
  /** The cards of the holds, by their token. */
  readonly cardOf: (token: string | null) => CardRow | null;
  /** The plan that ends with the booking; null for none. */
  readonly plan: Pick<PlanRow, 'id' | 'putAtMs'> | null;
  readonly nowMs: number;
  /** The acquirer takes multiples of this. */
  readonly stepMinor: number;
}

export interface CapturedHold {
  readonly hold: TransactionRow;
  readonly card: CardRow;
  readonly priced: Priced;
}

/** What is given back of a charge, without fees and with those that go back. In minor units. */
export interface GivenBack {
  readonly charge: AtGateway;
  readonly amountMinor: number;
  readonly withFeesMinor: number;
}

/** What the caller is told beside a cancellation. */
export type CancellationWarning =
  | 'no_card'
  | 'card_expired'
  | 'card_of_former_account'
  | 'charge_not_possible'
  | 'not_refundable'
  | 'policy_not_disclosed'
  | 'surcharge_not_allowed';

/** What a cancellation comes to. Amounts in minor units without fees. */
export interface DecidedCancellation extends Omit<SettlementTerms, 'reason'> {
  /** Why the policy was overridden; null if it was not. Only the audit trail keeps it. */
  readonly why: string | null;
  readonly captures: readonly CapturedHold[];
  readonly charge: DecidedCharge | null;
  readonly refunds: readonly GivenBack[];
  readonly releases: readonly TransactionRow[];
  readonly bonds: readonly GivenBack[];
  readonly cancelledSchedules: readonly TransactionRow[];
  readonly planId: string | null;
  readonly refusals: readonly Failure[];
  readonly warnings: readonly CancellationWarning[];
}

/**
 * Decides what cancelling a booking keeps, and what it brings in and gives back for that (interface: Quote a cancellation):
 * what is kept and not paid is taken from holds first, then from the booking's card; what is paid and not kept goes back.
 */
export function decideCancellation(
  request: CancellationRequest,
  facts: CancellationFacts,
): Result<DecidedCancellation> {
  const { paidMinor } = bookingTotals(facts);
  const kept = decideKept(request, facts.state, paidMinor);
  if (!kept.ok) return kept;
  const incoming = takeIn(facts, Math.max(0, kept.value.keepMinor - paidMinor));
  const outgoing = giveBack(facts, request, Math.max(0, paidMinor - kept.value.keepMinor));
  const { rule, why } = kept.value;
  const { transactions } = facts;
  const captured = new Set(incoming.captures.map(({ hold }) => hold.id));
  return ok({
    rule,
    why,
    paidMinor,
    keepMinor: kept.value.keepMinor - incoming.lessMinor - outgoing.moreMinor,
    uncollectableMinor: incoming.uncollectableMinor,
    unrefundableMinor: outgoing.unrefundableMinor,
    captures: incoming.captures,
    charge: incoming.charge,
    refunds: outgoing.refunds,
    releases: transactions.filter(({ id, status }) => status === 'Authorized' && !captured.has(id)),
    bonds: outgoing.bonds,
    cancelledSchedules: transactions.filter(({ status }) => status === 'Pending'),
    planId: facts.plan?.id ?? null,
    refusals: whyNotAllowed(facts),
    warnings: [...new Set([...kept.value.warnings, ...incoming.warnings, ...outgoing.warnings])],
  });
}

function whyNotAllowed({ refunds, state, transactions }: CancellationFacts): Failure[] {
  const isUncertain = [...transactions, ...refunds].some(({ status }) => status === 'Processing');
  return [
    ...(state.booking.status === 'cancelled' ? [bookingCancelled()] : []),
    ...(isUncertain ? [UNCERTAIN] : []),
  ];
}

const UNCERTAIN = failure(
  'outcome_unknown',
  'The outcome of a payment or refund of the booking is not known yet.',
);

interface Kept extends Pick<DecidedCancellation, 'keepMinor' | 'rule' | 'why' | 'warnings'> {}

/** What is kept, and by which rule. The policy's amounts are at most the total cost. */
function decideKept(
  { atMs, keep, reason }: CancellationRequest,
  { booking, property }: BookingState,
  paidMinor: number,
): Result<Kept> {
  if (keep !== null) {
    return ok({ rule: 'override', keepMinor: keep.amountMinor, why: keep.why, warnings: [] });
  }
  const own = { why: null, warnings: [] };
  if (reason === 'property') return ok({ ...own, rule: 'property', keepMinor: 0 });
  const policy = booking.cancellationPolicy ?? property.cancellationPolicy;
  if (policy === null) return err(NO_POLICY);
  const stay = { arrival: booking.arrival, timeZone: property.timeZone };
  const index = reason === 'noShow' ? policy.rules.length - 1 : ruleAt(policy, stay, atMs);
  const ruled = policy.rules[index]?.keep ?? { nothing: true };
  const keeps = reason === 'noShow' ? (policy.noShow ?? ruled) : ruled;
  return ok({
    rule: reason === 'noShow' ? 'noShow' : index,
    keepMinor: keptMinor(keeps, booking, paidMinor),
    why: null,
    // The property has it only since the booking was made.
    warnings: booking.cancellationPolicy === null ? ['policy_not_disclosed'] : [],
  });
}

const NO_POLICY = failure(
  'no_policy',
  'Neither the booking nor its property has a cancellation policy: say what is kept, or set one.',
);

interface Incoming
  extends Pick<DecidedCancellation, 'captures' | 'charge' | 'uncollectableMinor' | 'warnings'> {
  /** What the acquirer cannot take because it is finer than its step: that is not kept. */
  readonly lessMinor: number;
}

/** What is taken: from holds, the one that ends first first, then from the booking's card. */
function takeIn(facts: CancellationFacts, wantedMinor: number): Incoming {
  const captures = capturesOf(facts, wantedMinor);
  const leftMinor =
    wantedMinor -
    sumOf(
      captures.map(({ priced }) => priced),
      'requestedMinor',
    );
  const nothing = { captures, charge: null, uncollectableMinor: 0, lessMinor: 0, warnings: [] };
  if (leftMinor === 0) return nothing;
  const exact = chargeOf(facts, leftMinor);
  if (exact.ok) return { ...nothing, charge: exact.value, warnings: exact.value.warnings };
  const { code } = exact.error;
  if (code === 'amount_precision') {
    const lessMinor = leftMinor % facts.stepMinor;
    if (lessMinor === leftMinor) return { ...nothing, lessMinor };
    const stepped = chargeOf(facts, leftMinor - lessMinor);
    if (stepped.ok) {
      const { warnings } = stepped.value;
      return { ...nothing, charge: stepped.value, lessMinor, warnings };
    }
  }
  return { ...nothing, uncollectableMinor: leftMinor, warnings: [warningOf(code)] };
}

function warningOf(code: Failure['code']): CancellationWarning {
  return code === 'no_card' || code === 'card_expired' || code === 'card_of_former_account'
    ? code
    : 'charge_not_possible';
}

function capturesOf(
  { cardOf, nowMs, state, stepMinor, transactions }: CancellationFacts,
  wantedMinor: number,
): CapturedHold[] {
  const holds = transactions
    .filter(({ purpose, status }) => status === 'Authorized' && purpose !== 'Bond')
    .toSorted((one, other) => endOf(one) - endOf(other) || one.id - other.id);
  const captures: CapturedHold[] = [];
  let leftMinor = wantedMinor;
  for (const hold of holds) {
    const card = cardOf(hold.cardToken);
    if (leftMinor === 0 || card === null) continue;
    const partMinor = Math.min(leftMinor, hold.requestedMinor);
    const moment = { atMs: nowMs, stepMinor };
    // One that has lapsed is released with the others.
    const priced = priceCapture(state.property, card, hold, partMinor, moment);
    if (!priced.ok) continue;
    captures.push({ hold, card, priced: priced.value });
    leftMinor -= partMinor;
  }
  return captures;
}

function endOf({ expiresAtMs }: TransactionRow): number {
  return expiresAtMs ?? Number.POSITIVE_INFINITY;
}

/** The charge of a fee for the cancellation, by the code that charges. What is due does not limit it. */
function chargeOf(
  { nowMs, state, stepMinor }: CancellationFacts,
  requestedMinor: number,
): Result<DecidedCharge> {
  return decideCharge<CardRow>(
    {
      kind: 'charge',
      purpose: 'Manual',
      requestedMinor,
      currency: state.booking.currency,
      virtualCard: false,
      description: null,
      cardToken: null,
      limitToDue: false,
      time: null,
      agreedMinor: null,
    },
    { state, requestedCard: null, totals: null, quoted: null, duplicate: null, nowMs, stepMinor },
  );
}

interface Outgoing
  extends Pick<DecidedCancellation, 'refunds' | 'bonds' | 'unrefundableMinor' | 'warnings'> {
  /** What goes back beyond what is paid and not kept, because the acquirer's step is coarser. */
  readonly moreMinor: number;
}

/**
 * What is given back: of charges by what they have left without fees, and Bonds whole. Fees go back where the property
 * cancels, of what goes back whole.
 */
function giveBack(
  facts: CancellationFacts,
  { reason }: CancellationRequest,
  wantedMinor: number,
): Outgoing {
  const { refundable, stepMinor, totals } = facts;
  const withFees = reason === 'property';
  const left = refundable.map((charge) => ({
    charge,
    leftMinor: leftOf(charge, totals),
    restMinor: charge.amountMinor - charge.refundReservedMinor,
  }));
  const candidates = left
    .filter(({ charge }) => charge.purpose !== 'Bond')
    .map((one) => ({
      ...one,
      id: one.charge.id,
      refundableMinor: one.leftMinor - (one.leftMinor % stepMinor),
    }));
  const steppedMinor = Math.ceil(wantedMinor / stepMinor) * stepMinor;
  const takenMinor = Math.min(steppedMinor, sumOf(candidates, 'refundableMinor'));
  const parts = allocate(takenMinor, candidates);
  const partOf = new Map(parts.map((one) => [one.chargeId, one.amountMinor]));
  const refunds = candidates.flatMap(({ charge, leftMinor, refundableMinor, restMinor }) => {
    const partMinor = partOf.get(charge.id) ?? 0;
    const isWhole = withFees && partMinor === refundableMinor && (partMinor > 0 || leftMinor === 0);
    const amountMinor = isWhole ? leftMinor : partMinor;
    const withFeesMinor = isWhole ? restMinor : partMinor;
    return withFeesMinor === 0 ? [] : [{ charge, amountMinor, withFeesMinor }];
  });
  const bonds = left.flatMap(({ charge, leftMinor, restMinor }) => {
    const amountMinor = withFees ? leftMinor : leftMinor - (leftMinor % stepMinor);
    const withFeesMinor = withFees ? restMinor : amountMinor;
    const isBond = charge.purpose === 'Bond' && withFeesMinor > 0;
    return isBond ? [{ charge, amountMinor, withFeesMinor }] : [];
  });
  const givenMinor = sumOf(refunds, 'amountMinor');
  const unrefundableMinor = Math.max(0, wantedMinor - givenMinor);
  const bondsMinor = sumOf(bonds, 'amountMinor');
  const lacksBond = bondsMinor < bookingTotals(facts).bondsMinor;
  return {
    refunds,
    bonds,
    unrefundableMinor,
    moreMinor: Math.max(0, givenMinor - wantedMinor),
    warnings: unrefundableMinor > 0 || lacksBond ? ['not_refundable'] : [],
  };
}

/** What a charge has left without fees: those are given back last. */
function leftOf(
  { amountMinor, id, refundReservedMinor }: TransactionRow,
  totals: readonly ChargeTotals[],
): number {
  const own = totals.find(({ transactionId }) => transactionId === id);
  const paidMinor = own ? shareOf(own).paidMinor : 0;
  return Math.min(paidMinor, amountMinor - refundReservedMinor);
}
