import type { GuestStep, GuestStepCommand } from '../money/guest/bankStep.ts';
import type { GuestPaymentCommand } from '../money/guest/pay.ts';
import type { PaymentCommand } from '../money/payments/create.ts';
import type { FollowUpCommand } from '../money/payments/loadTransaction.ts';
import type { CaptureCommand } from '../money/payments/preAuthorizations.ts';
import type { CardRefresh } from '../money/payments/renewCard.ts';
import type { CancelledSchedules, TransactionAnswer } from '../money/payments/views.ts';
import type { RefundsAnswer } from '../money/refunds/answer.ts';
import type { RefundCommand } from '../money/refunds/command.ts';
import type { CallerKey } from '../operation/idempotency.ts';
import type { CallContext, Reply } from '../operation/reply.ts';
import type { BookingDetails, BookingState } from '../records/bookings/rules.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { Override, Resolved } from './manualResolution.ts';
import type { Refreshed, ReportedPayment } from './refreshFromGateway.ts';

/** The calls that the Worker makes to a booking's object. */
export interface BookingCalls {
  saveBooking(
    context: CallContext,
    details: BookingDetails,
    currency: string,
  ): Promise<Reply<BookingState>>;
  attachCard(
    context: CallContext,
    card: CardRow,
    agreement?: string | null,
    returnBase?: string | null,
  ): Promise<Reply<CardRow>>;
  /** The guest removes a card that they entered. */
  removeCard(context: CallContext, token: string): Promise<Reply<null>>;
  revokeLinks(context: CallContext): Promise<Reply<BookingRow>>;
  pay(context: CallContext, command: PaymentCommand): Promise<Reply<TransactionAnswer>>;
  payAsGuest(context: CallContext, command: GuestPaymentCommand): Promise<Reply<TransactionAnswer>>;
  /** A guest comes back to a payment, perhaps from their bank, or gives it up. */
  followGuestPayment(context: CallContext, command: GuestStepCommand): Promise<Reply<GuestStep>>;
  capture(context: CallContext, command: CaptureCommand): Promise<Reply<TransactionAnswer>>;
  release(context: CallContext, command: FollowUpCommand): Promise<Reply<TransactionAnswer>>;
  cancelSchedule(context: CallContext, command: FollowUpCommand): Promise<Reply<TransactionAnswer>>;
  cancelSchedules(
    context: CallContext,
    caller: CallerKey | null,
  ): Promise<Reply<CancelledSchedules>>;
  refund(context: CallContext, command: RefundCommand): Promise<Reply<RefundsAnswer>>;
  /** An acquirer has news of a payment: reads its record, and corrects ours. */
  refreshFromGateway(context: CallContext, reported: ReportedPayment): Promise<Reply<Refreshed>>;
  /** An acquirer reported a dispute: asks it for the current state. */
  refreshDispute(
    context: CallContext,
    reference: string,
    disputeId: string,
    account: string | null,
  ): Promise<Reply<Refreshed>>;
  /** An acquirer has news of a card that is the booking's, or that one of its charges names. */
  refreshCard(context: CallContext, token: string): Promise<Reply<CardRefresh>>;
  resolveManually(context: CallContext, override: Override): Promise<Reply<Resolved>>;
  /** Processes what is due. Returns how many things it processed. */
  wake(context: CallContext): Promise<number>;
}
