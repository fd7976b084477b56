/** Calls of a booking that must not compile, as in `answers.ts`. */
import { callBooking } from '../../src/booking/stub.ts';
import type { CallContext } from '../../src/operation/reply.ts';
import type { Env } from '../../src/platform/env.ts';
import type { Trace } from '../../src/platform/trace.ts';
import type { CardRow } from '../../src/schema/cardTables.ts';

declare const from: { env: Env; trace: Trace };
declare const context: CallContext;
declare const card: CardRow;

void callBooking(from, context, 'capture', {
  chargeId: 1,
  amountMinor: null,
  currency: 'EUR',
  caller: null,
});
// @ts-expect-error An operation that there is not.
void callBooking(from, context, 'captured', { chargeId: 1, caller: null });
// @ts-expect-error The command of another operation.
void callBooking(from, context, 'capture', { chargeId: 1, caller: null });
// @ts-expect-error A member too many.
void callBooking(from, context, 'release', { chargeId: 1, caller: null, currency: 'EUR' });
// @ts-expect-error A command without the caller's key, or null for none.
void callBooking(from, context, 'cancelSchedules', {});
// @ts-expect-error A command where there is none.
void callBooking(from, context, 'revokeLinks', { token: '' });

/** The answer is that of the operation. */
export async function answers(): Promise<string> {
  const { answer: attached } = await callBooking(from, context, 'attachCard', { card });
  if (!attached.ok) return attached.error.code;
  // @ts-expect-error A member of another operation's answer.
  return attached.value.corrected ?? attached.value.token;
}
