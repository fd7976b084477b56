import { failure } from '../core/failure.ts';
import { decimalText } from '../core/money.ts';
import { err, ok, type Result, refuse } from '../core/result.ts';
import { SAFETY_NET_MS } from '../money/gateway/rules/statusChecks.ts';
import { cancelPendingPayments, cancelRemaining } from '../money/payments/cancelPending.ts';
import { cancellationFacts } from '../money/settlements/facts.ts';
import {
  hasSameBasis,
  openCancellation,
  type SealedCancellation,
} from '../money/settlements/quoteToken.ts';
import {
  type CancellationFacts,
  type DecidedCancellation,
  decideCancellation,
} from '../money/settlements/rules/decideCancellation.ts';
import type { StepRows } from '../money/settlements/rules/progress.ts';
import {
  carryOut,
  endIfDone,
  type RecordedSettlement,
  readStepRows,
} from '../money/settlements/settle.ts';
import { recordSteps } from '../money/settlements/steps.ts';
import { type SettlementView, settlementView } from '../money/settlements/views.ts';
import { moveApplications } from '../operation/applications.ts';
import { commitIntent, type Recorded } from '../operation/commit.ts';
import type { Write } from '../operation/draft.ts';
import type { CallerKey } from '../operation/idempotency.ts';
import type { IdempotencyRow } from '../operation/idempotencyStore.ts';
import { type BookingWork, bookingState, decideAgain } from '../operation/work.ts';
import { violatesUnique } from '../platform/db/errors.ts';
import { aboutBooking, logError } from '../platform/log.ts';
import { queueMessage } from '../pms/outbox/queue.ts';
import { bookingMessage } from '../pms/rules/messages.ts';
import {
  type BookingState,
  bookingNotFound,
  cancelledRow,
  uncertain,
} from '../records/bookings/rules.ts';
import { updateBooking } from '../records/bookings/store.ts';
import { type SavedBookingView, savedBookingView } from '../records/bookings/views.ts';
import type { Agreed } from '../records/guestActs/rules.ts';
import { agreementOfCancellation } from '../records/guestActs/store.ts';
import { availabilityStatements } from '../records/rooms/store.ts';
import { insertSettlement, selectSettlement } from '../records/settlements/store.ts';
import type { SettlementRow } from '../schema/settlementTables.ts';
import { bookingEntry } from './bookingEntry.ts';

/** The application of a quote, as it reaches the booking's object. */
export interface CancelCommand {
  readonly quoteId: string;
  /** What a guest who cancels on their page agreed to. */
  readonly agreed?: Agreed;
  readonly caller: CallerKey | null;
}

export interface CancelledBooking {
  readonly booking: SavedBookingView;
  readonly settlement: SettlementView;
}

/**
 * Cancels a booking as it was quoted, once (interface: Apply a cancellation). One batch cancels it and records every step
 * of its settlement; each step then has its own intent, outcome and key like any other payment or refund. What is cut off
 * afterwards, the alarm goes on with.
 */
export async function cancelBooking(
  work: BookingWork,
  command: CancelCommand,
): Promise<Result<CancelledBooking>> {
  const quote = await openCancellation(work.keyring, work.propertyId, command.quoteId);
  const { caller } = command;
  const applied = await decideAgain(work, async () => {
    const facts = await cancellationFacts(work);
    if (!facts) return err(bookingNotFound());
    const decided = await decide(work, quote, facts);
    return decided.ok ? record(work, facts, decided.value, command) : decided;
  }).catch(refuseUsed);
  if (!applied.ok) return applied;
  const { later, recorded, settlement, state } = applied.value;
  if (recorded === 'unknown') return err(uncertain());
  const answerOf = (row: SettlementRow, rows: StepRows) => answerFor(state, row, rows);
  // The booking is cancelled already. If these fail, the alarm does the rest.
  let row = settlement;
  try {
    await cancelRemaining(work, later);
    await carryOut(work, applied.value);
    row = await endIfDone(work, state, settlement, caller && { caller, of: answerOf });
  } catch (error) {
    logError('settlement_broke_off', error, aboutBooking(work));
  }
  return answerOf(row, await readStepRows(work));
}

/** The answer to a repeated application whose first answer was not kept: the settlement as it is now. */
export async function appliedCancellation(
  work: BookingWork,
  { commandReference }: Pick<IdempotencyRow, 'commandReference'>,
): Promise<Result<CancelledBooking>> {
  const state = await bookingState(work);
  const { database } = work;
  const [[row]] = await database.batch('d1.settlement.read', [
    selectSettlement(work, commandReference ?? ''),
  ]);
  if (!state || !row) throw new Error('a recorded settlement is missing');
  return answerFor(state, row, await readStepRows(work));
}

function answerFor(
  state: BookingState,
  row: SettlementRow,
  rows: StepRows,
): Result<CancelledBooking> {
  const settlement = settlementView(row, rows, state.booking.currency);
  return ok({ booking: savedBookingView(state), settlement });
}

/** A quote is applied once, also where its booking was booked again since. */
function refuseUsed(error: unknown): Result<never> {
  if (violatesUnique(error, 'settlements.quote_id')) return err(QUOTE_STALE);
  throw error;
}

interface Accepted {
  readonly quote: SealedCancellation;
  readonly decided: DecidedCancellation;
}

/** Decides the cancellation again: it has to come to what was quoted. */
async function decide(
  work: BookingWork,
  quote: SealedCancellation | null,
  facts: CancellationFacts,
): Promise<Result<Accepted>> {
  if (quote === null || quote.bookingReference !== work.reference) return err(QUOTE_INVALID);
  if (facts.nowMs >= quote.untilMs) return err(QUOTE_STALE);
  const decided = decideCancellation(quote, facts);
  if (!decided.ok || !(await hasSameBasis(work.keyring, quote, facts, decided.value))) {
    return err(QUOTE_STALE);
  }
  const [refusal] = decided.value.refusals;
  return refusal ? refuse('invalid_state', refusal.detail) : ok({ quote, decided: decided.value });
}

interface Applied extends RecordedSettlement {
  readonly later: readonly Write[][];
  readonly recorded: Recorded;
}

/** Cancels the booking and records all that follows from that, in one batch. */
async function record(
  work: BookingWork,
  facts: CancellationFacts,
  { decided, quote }: Accepted,
  { agreed, caller }: CancelCommand,
): Promise<Result<Applied>> {
  const { booking: before, property } = facts.state;
  const nowMs = work.now();
  const state = { ...facts.state, booking: cancelledRow(facts.state, nowMs) };
  const open = [...decided.cancelledSchedules, ...decided.releases];
  const ended = await cancelPendingPayments(work, state, open);
  // As the batch leaves them.
  const releases = ended.atGateway.map(({ row }) => row);
  const settled = { ...decided, releases, reason: quote.reason };
  const steps = await recordSteps(work, state, facts, settled);
  const settlement: SettlementRow = {
    id: work.newReference(),
    propertyId: work.propertyId,
    bookingReference: work.reference,
    quoteId: quote.id,
    terms: steps.terms,
    steps: steps.steps,
    status: 'settling',
    dueAtMs: nowMs + SAFETY_NET_MS,
    version: 1,
    createdAtMs: nowMs,
    endedAtMs: null,
  };
  await work.wakeBy(nowMs + SAFETY_NET_MS);
  work.memory.state = state;
  const shown = settlementView(settlement, steps.rows, before.currency);
  const detail = whyCancelled(decided, quote, before.currency);
  const recorded = await commitIntent(
    work,
    'd1.settlement.intend',
    [
      { takes: { caller, commandReference: settlement.id, answer: null } },
      updateBooking(state.booking),
      bookingEntry(work, before, state, { detail, members: { settlement: shown } }),
      insertSettlement(settlement),
      ...agreementOfCancellation(settlement, agreed),
      ...ended.writes,
      ...steps.writes,
      ...(await moveApplications(work, property, 'Cancelled')),
      ...availabilityStatements(work.propertyId, before, state.booking),
      ...queueMessage(
        work,
        property,
        bookingMessage({ property, roomTypes: [] }, before, state.booking),
      ),
    ],
    () => isRecorded(work, settlement),
  );
  const { later, atGateway } = ended;
  return ok({ ...steps, state, settlement, releases: atGateway, later, recorded });
}

/** The audit trail's reason: who cancels, by which rule, and what is kept. */
function whyCancelled(
  { keepMinor, rule, why }: DecidedCancellation,
  { reason }: SealedCancellation,
  currency: string,
): string {
  const by = typeof rule === 'number' ? `rule ${rule}` : rule;
  const kept = `keeps ${decimalText(keepMinor, currency)}`;
  return [reason, by, kept, ...(why === null ? [] : [why])].join(', ');
}

async function isRecorded(work: BookingWork, { id }: SettlementRow): Promise<boolean> {
  const [[row]] = await work.database.batch('d1.settlement.read', [selectSettlement(work, id)]);
  return row !== undefined;
}

const QUOTE_INVALID = failure(
  'quote_invalid',
  'This is no quote of a cancellation of this booking. Nothing was cancelled.',
);

const QUOTE_STALE = failure(
  'quote_stale',
  'The quote no longer holds. Nothing was cancelled; ask for another quote.',
);
