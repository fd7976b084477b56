import type { AnswerOf, CommandOf, OperationName } from '../booking/operations.ts';
import { callBooking } from '../booking/stub.ts';
import { clockOf } from '../core/propertyClock.ts';
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
  const context = {
    propertyId: property.id,
    reference,
    requestId: c.get('requestId'),
    actor: c.get('caller').clientId,
    clock: clockOf(property),
  };
  return callBooking({ env: c.env, trace: c.get('trace') }, context, name, command);
}
