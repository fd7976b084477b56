import type { AnswerOf, CommandOf, OperationName } from '../booking/operations.ts';
import { callBooking } from '../booking/stub.ts';
import { callContext } from '../http/callContext.ts';
import type { AppContext, CallerProperty } from '../http/context.ts';
import type { Answered } from '../operation/idempotency.ts';

/** Has a booking of the caller's property do an operation. */
export function callBookingOf<N extends OperationName>(
  c: AppContext,
  property: CallerProperty,
  reference: string,
  name: N,
  command: CommandOf<N>,
): Promise<Answered<AnswerOf<N>>> {
  const context = callContext(c, property, reference);
  return callBooking({ env: c.env, trace: c.get('trace') }, context, name, command);
}
