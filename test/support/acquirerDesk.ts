/** What people do at the acquirer itself, past this service, with either acquirer; and the news of it. */
import { bookingObject } from '../../src/booking/stub.ts';
import type { DashboardAction } from '../../src/sandbox/acquirer/dashboard.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { testEnv } from './api.ts';
import type { FakeStripe } from './stripe.ts';

/** A person at an acquirer's desk. Payments, refunds and disputes are named by the acquirer's ids; amounts in minor units. */
export interface Desk {
  capture(payment: string, amountMinor?: number): Promise<unknown>;
  release(payment: string): Promise<unknown>;
  /** Refunds a part of a payment or the rest, and returns the refund's id. */
  refund(payment: string, amountMinor?: number): Promise<string>;
  failRefund(refund: string): Promise<unknown>;
  /** Disputes the whole of a payment, and returns the dispute's id. */
  dispute(payment: string): Promise<string>;
  closeDispute(payment: string, as: 'won' | 'lost'): Promise<unknown>;
}

/** The desk of the sandbox acquirer. */
export const sandboxDesk: Desk = {
  capture: (payment, amountMinor) =>
    actAtSandbox({ action: 'capture', payment, amountMinor: amountMinor ?? null }),
  release: (payment) => actAtSandbox({ action: 'release', payment, amountMinor: null }),
  refund: async (payment, amountMinor) => {
    await actAtSandbox({ action: 'refund', payment, amountMinor: amountMinor ?? null });
    const report = await sandboxAcquirer(testEnv).payment(payment);
    return report.kind === 'payment' ? (report.payment.refunds.at(-1)?.id ?? '') : '';
  },
  failRefund: (refund) => actAtSandbox({ action: 'failRefund', refund }),
  dispute: async (payment) =>
    (await actAtSandbox({ action: 'dispute', payment, amountMinor: null })).id,
  closeDispute: (payment, as) => {
    const action = as === 'won' ? 'winDispute' : 'loseDispute';
    return actAtSandbox({ action, payment, disputeId: null });
  },
};

/** The bank of a payment's card inquires about the whole of it, and nothing is withdrawn; the inquiry's id. */
export async function inquireAtSandbox(payment: string): Promise<string> {
  return (await actAtSandbox({ action: 'inquiry', payment, amountMinor: null })).id;
}

/** The acquirer does not tell of it by itself: tests say when this service hears. */
async function actAtSandbox(act: DashboardAction): Promise<{ readonly id: string }> {
  const done = await sandboxAcquirer(testEnv).act(act, Date.now(), false);
  if (done.kind !== 'done') throw new Error(`the desk: ${JSON.stringify(done)}`);
  return done.changed;
}

/** Stripe's dashboard. */
export function stripeDesk(stripe: FakeStripe): Desk {
  return {
    capture: async (payment, amountMinor) => stripe.captureInDashboard(payment, amountMinor),
    release: async (payment) => stripe.cancelInDashboard(payment),
    refund: async (payment, amountMinor) => stripe.refundInDashboard(payment, amountMinor).id,
    failRefund: async (refund) => stripe.failRefund(refund),
    dispute: async (payment) => stripe.dispute(payment, 'needs_response'),
    closeDispute: async (payment, as) => stripe.dispute(payment, as),
  };
}

/** One of our charges or holds, with the acquirer's id of its payment. */
export interface Paid {
  readonly booking: string;
  readonly id: number;
  /** The transaction's own reference. */
  readonly own: string;
  /** The acquirer's id; empty if D1 has none yet. */
  readonly payment: string;
}

/** The newest charge or hold of a booking. */
export async function newestPaid(booking: string): Promise<Paid> {
  const row = await testEnv.DB.prepare(
    'SELECT id, reference AS own, gateway_reference AS payment FROM transactions WHERE booking_reference = ? ORDER BY id DESC',
  )
    .bind(booking)
    .first<{ id: number; own: string; payment: string | null }>();
  if (!row) throw new Error('there is no transaction');
  return { booking, ...row, payment: row.payment ?? '' };
}

/** Our service hears of a payment, and what it answers: how many corrections it made, or why none. */
export async function tellOfPayment({ booking, own, payment }: Paid): Promise<number | string> {
  const news = { payment, reference: own, account: null };
  const object = bookingObject(testEnv, 'demo', booking);
  const { answered } = await object.perform('refreshFromGateway', asGateway(booking), news);
  return answered.answer.ok ? answered.answer.value.corrected : answered.answer.error.code;
}

/** Our service hears of a dispute. */
export async function tellOfDispute({ booking, own }: Paid, id: string): Promise<number | string> {
  const object = bookingObject(testEnv, 'demo', booking);
  const { answered } = await object.perform('refreshDispute', asGateway(booking), {
    reference: own,
    disputeId: id,
    account: null,
  });
  return answered.answer.ok ? answered.answer.value.corrected : answered.answer.error.code;
}

function asGateway(reference: string) {
  return { propertyId: 'demo', reference, requestId: 'news', actor: 'gateway' };
}
