import { callBooking } from '../booking/stub.ts';
import { type Failure, failure } from '../core/failure.ts';
import { storedExponent, toMinor } from '../core/money.ts';
import { pick } from '../core/pick.ts';
import { err, ok, type Result } from '../core/result.ts';
import { HOUR_MS, SECOND_MS } from '../core/time.ts';
import { balanceOfRows, openAmountsOf } from '../money/balance/rules/balance.ts';
import { disputeFailure } from '../money/disputes/rules.ts';
import { readHistory } from '../money/folio/history.ts';
import { type QuoteWithId, quoteWork, readQuote } from '../money/payments/quote.ts';
import { type DecidedCapture, decideCapture } from '../money/payments/rules/decideCapture.ts';
import { type PaymentWarning, scheduledWarnings } from '../money/payments/rules/overcharge.ts';
import { whyNotCancelled, whyNotReleased } from '../money/payments/rules.ts';
import { selectTransactions } from '../money/payments/store.ts';
import { type PlanPut, shownPlan } from '../money/plans/views.ts';
import { beyondDailyLimit } from '../money/refunds/rules.ts';
import { type CancellationQuote, quoteCancellation } from '../money/settlements/quote.ts';
import { selectDisputesOfBooking, selectRefunds } from '../operation/shownStore.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import type { DisputeRow } from '../schema/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../schema/moneyTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { type DeskAction, type DeskWork, dailyRefundLimit, kindOf, rightFor } from './actions.ts';
import { money } from './format.ts';
import { contextOf } from './perform.ts';
import { may } from './rights.ts';
import { words } from './words.ts';

const { refusals: copy } = words;

interface Told {
  readonly warnings: readonly (PaymentWarning | NonNullable<PlanPut['warnings']>[number])[];
}

/** What an action will do. `quote` is set for payments: the code that makes them says what they come to. */
export interface Preview {
  readonly quote: QuoteWithId | null;
  /** What a capture takes: the lesser amount where the property's guard refuses more than is due. */
  readonly capture: DecidedCapture | null;
  /** What cancelling the booking comes to. */
  readonly cancellation: CancellationQuote | null;
  /** What putting a plan comes to, and what tells whether it still does. */
  readonly plan: (Pick<PlanPut, 'plan'> & Told & { readonly quoteId: string }) | null;
  /** The payments and refunds that it is about. */
  readonly about: readonly (TransactionRow | RefundRow)[];
  /** A payment of a short while ago that this one looks like: somebody may be about to take it twice. */
  readonly twin: TransactionRow | null;
  /** Why it would be refused; empty if it would not. */
  readonly refusals: readonly Failure[];
}

type To<Do extends DeskAction['do']> = Extract<DeskAction, { readonly do: Do }>;
type NewPayment = To<'charge' | 'schedule' | 'hold'>;

/** Says what an action would do, without doing it. Fails where its fields are at fault, or the person may not do it. */
export async function previewOf(work: DeskWork, action: DeskAction): Promise<Result<Preview>> {
  const allowed = may(work.person, work.property, rightFor[action.do]);
  if (!allowed.ok) return allowed;
  switch (action.do) {
    case 'charge':
    case 'schedule':
    case 'hold':
      return quoteFor(work, action);
    case 'cancelBooking':
      return cancellationFor(work, action);
    case 'putPlan':
      return planFor(work, action);
    case 'requestCard':
    case 'makeLink':
    case 'mailLink':
    case 'cancelPlan':
      return ok(NOTHING);
    case 'capture':
      return captureOf(work, action);
    default:
      return onPaymentsOf(work, action);
  }
}

/** What cancelling the booking comes to, by the code that cancels it. */
async function cancellationFor(
  work: DeskWork,
  { keep, reason }: To<'cancelBooking'>,
): Promise<Result<Preview>> {
  const quoting = quoteWork(work, work.property, work.reference);
  const quoted = await quoteCancellation(quoting, { reason, keep, atMs: quoting.nowMs });
  if (!quoted.ok) return quoted;
  return ok({ ...NOTHING, cancellation: quoted.value, refusals: quoted.value.refusals });
}

/** What putting a plan comes to, by the code that puts it. */
async function planFor(work: DeskWork, { template }: To<'putPlan'>): Promise<Result<Preview>> {
  const { currency } = work.property;
  const command = { spec: null, template, currency, cardToken: null, dryRun: true, caller: null };
  const { answer } = await callBooking(work, contextOf(work), 'putPlan', command);
  if (!answer.ok) return answer;
  const { plan, warnings = [] } = answer.value;
  const quoteId = await shownPlan(plan);
  const beside = await scheduledBeside(work, plan);
  return ok({
    ...NOTHING,
    plan: { plan, quoteId, warnings: [...warnings, ...beside.warnings] },
    about: beside.about,
  });
}

/** What stays scheduled, and what to say of it, where that and a plan come to more than is due: the guest would pay twice. */
async function scheduledBeside(
  { database, property, reference }: DeskWork,
  { currency, open }: PlanPut['plan'],
) {
  const history = await readHistory(database, { propertyId: property.id, reference });
  const planned = toMinor(open, storedExponent(currency), 0);
  if (history === null || !planned.ok) return { about: [], warnings: [] };
  const payment = { kind: 'charge', purpose: 'Manual', requestedMinor: planned.value } as const;
  const { state, totals, transactions } = history;
  const { booking } = state;
  const standing = balanceOfRows(booking.totalCostMinor, transactions, totals);
  const warnings = scheduledWarnings(property, booking, payment, standing);
  const about = transactions.filter(({ status }) => status === 'Pending');
  return { about: warnings.length === 0 ? [] : about, warnings };
}

/** For how long somebody may take a payment twice by mistake; a property may look for longer. */
const TWIN_MS = HOUR_MS;

/**
 * The latest payment that a new one looks like: of the same amount, by the same card or for the same purpose. What was given
 * back whole was meant to be undone.
 */
function twinOf(
  { duplicateWindowSeconds }: PropertyRow,
  action: NewPayment,
  card: string | null,
  { nowMs, rows }: { readonly nowMs: number; readonly rows: readonly TransactionRow[] },
): TransactionRow | null {
  if (action.do === 'schedule') return null;
  const sinceMs = nowMs - Math.max(TWIN_MS, duplicateWindowSeconds * SECOND_MS);
  const twin = rows.findLast(
    (row) =>
      (row.kind === 'authorization') === (action.do === 'hold') &&
      ['Accepted', 'Authorized', 'Processing'].includes(row.status) &&
      (row.amountMinor === 0 || row.refundReservedMinor < row.amountMinor) &&
      (row.askedMinor ?? row.requestedMinor) === action.amountMinor &&
      (row.cardToken === card || row.purpose === action.purpose) &&
      takenAtMs(row) >= sinceMs,
  );
  return twin ?? null;
}

/** When a payment was taken or asked for: of a schedule, when it fired. */
export function takenAtMs(row: TransactionRow): number {
  return row.completedAtMs ?? row.askedAtMs ?? row.createdAtMs;
}

/** The price of a new payment, and what is scheduled: that is charged besides. */
async function quoteFor(work: DeskWork, action: NewPayment): Promise<Result<Preview>> {
  const { property } = work;
  const quoting = quoteWork(work, work.property, work.reference);
  const { nowMs } = quoting;
  const [transactions] = await quoting.database.batch('d1.transactions.read', [
    selectTransactions(quoting.name),
  ]);
  const quoted = await readQuote(quoting, {
    kind: kindOf[action.do],
    atMs: action.do === 'schedule' ? action.time.atMs : nowMs,
    currency: property.currency,
    requestedMinor: action.amountMinor,
    virtualCard: false,
    ...pick(action, 'description', 'purpose', 'cardToken'),
    described: {},
  });
  if (!quoted.ok) return quoted;
  const { dueAfterMinor, dueBeforeMinor, refusals } = quoted.value;
  const about = transactions.filter(({ status }) => status === 'Pending');
  const { scheduledMinor } = openAmountsOf(about);
  const isTooMuch = dueBeforeMinor > 0 && action.do !== 'hold' && scheduledMinor > dueAfterMinor;
  const exceeds = isTooMuch ? (['scheduled_exceeds_due'] as const) : [];
  const warnings = [...new Set([...quoted.value.warnings, ...exceeds])];
  const twin = twinOf(property, action, quoted.value.cardToken, { nowMs, rows: transactions });
  return ok({
    ...NOTHING,
    quote: { ...quoted.value, warnings },
    about,
    twin,
    // The desk means it: its form has a key, and says what it looks like.
    refusals: refusals.filter(({ code }) => code !== 'possible_duplicate'),
  });
}

/** What an action on earlier payments is about. One round trip. */
async function onPaymentsOf(
  work: DeskWork,
  action: To<'release' | 'refund' | 'cancelSchedule' | 'cancelSchedules' | 'resolve'>,
): Promise<Result<Preview>> {
  const { database, property, reference } = work;
  const [transactions, refunds, disputes] = await database.batch('d1.transactions.read', [
    selectTransactions({ propertyId: property.id, reference }),
    selectRefunds(property.id, reference),
    selectDisputesOfBooking(property.id, reference),
  ]);
  if (action.do === 'cancelSchedules') {
    const about = transactions.filter(({ status }) => status === 'Pending');
    const refusals = about.length > 0 ? [] : [wrong(copy.nothingScheduled)];
    return ok({ ...NOTHING, about, refusals });
  }
  if (action.do === 'resolve') {
    const row = [...transactions, ...refunds].find(({ id }) => id === action.id);
    return previewFor(row, row && whyNotResolved(row, propertyNow(property)));
  }
  const row = transactions.find(({ id }) => id === action.chargeId);
  const beyond = action.do === 'refund' ? whyBeyondLimit(work, action, refunds) : null;
  return beyond ? err(beyond) : previewFor(row, row && whyNot(row, action, disputes));
}

/** Says what a capture would take, by the code that takes it. */
async function captureOf(
  work: DeskWork,
  { amountMinor, chargeId }: To<'capture'>,
): Promise<Result<Preview>> {
  const { database, property, reference } = work;
  const history = await readHistory(database, { propertyId: property.id, reference });
  const row = history?.transactions.find(({ id }) => id === chargeId);
  const card = history?.usedCards.find(({ token }) => token === row?.cardToken);
  if (!history || !row || !card) return previewFor(undefined, null);
  if (row.status !== 'Authorized') {
    return previewFor(row, wrong(copy.release(row)));
  }
  const { booking } = history.state;
  const standing = balanceOfRows(booking.totalCostMinor, history.transactions, history.totals);
  const { nowMs: atMs, stepMinor } = quoteWork(work, work.property, work.reference);
  const moment = { atMs, stepMinor };
  const decided = decideCapture(history.state, { row, card }, amountMinor, standing, moment);
  return decided.ok
    ? ok({ ...NOTHING, capture: decided.value, about: [row] })
    : ok({ ...NOTHING, about: [row], refusals: [decided.error] });
}

/** Why a refund exceeds what the person may still give back of the booking today; null if it does not. */
function whyBeyondLimit(
  { person, property }: DeskWork,
  { amountMinor }: To<'refund'>,
  refunds: readonly RefundRow[],
): Failure | null {
  const limitMinor = dailyRefundLimit(person, property);
  if (limitMinor === null) return null;
  const { currency, timeZone } = property;
  const limit = { limitMinor, actor: person.id, timeZone, nowMs: propertyNow(property) };
  return beyondDailyLimit({ amountMinor, currency }, refunds, limit);
}

function previewFor(
  row: TransactionRow | RefundRow | undefined,
  why: Failure | null | undefined,
): Result<Preview> {
  if (!row) return ok({ ...NOTHING, refusals: [wrong(copy.noPayment)] });
  return ok({ ...NOTHING, about: [row], refusals: why ? [why] : [] });
}

const NOTHING: Preview = {
  quote: null,
  capture: null,
  cancellation: null,
  plan: null,
  about: [],
  twin: null,
  refusals: [],
};

function wrong(detail: string): Failure {
  return failure('invalid_state', detail);
}

/** Why a payment's state, amount or dispute rules the action out; null if it does not. The operation itself judges again. */
function whyNot(
  row: TransactionRow,
  action: To<'cancelSchedule' | 'refund' | 'release'>,
  disputes: readonly DisputeRow[],
): Failure | null {
  if (action.do === 'release') return whyNotReleased(row) && wrong(copy.release(row));
  if (action.do === 'cancelSchedule')
    return whyNotCancelled(row) && wrong(copy.cancelSchedule(row));
  if (row.status !== 'Accepted') return wrong(copy.refund(row));
  const leftMinor = row.amountMinor - row.refundReservedMinor;
  const isTooMuch = action.amountMinor > leftMinor;
  return (
    disputeFailure(row.id, disputes) ??
    (isTooMuch ? wrong(copy.left({ amount: money(leftMinor, row.currency) })) : null)
  );
}

function whyNotResolved(row: TransactionRow | RefundRow, nowMs: number): Failure | null {
  if (row.status !== 'Processing') return wrong(copy.known(row));
  const sentAtMs = row.sentAtMs ?? ('askedAtMs' in row ? row.askedAtMs : null) ?? row.createdAtMs;
  return nowMs - sentAtMs < HOUR_MS ? wrong(copy.tooEarly) : null;
}
