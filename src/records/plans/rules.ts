import { failure } from '../../core/failure.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import type { BookingState } from '../bookings/rules.ts';
import { MOST_PARTS, partsOfTerms } from './rules/parts.ts';

export const PLAN_TOO_LONG = failure('plan_too_long', 'The plan would have more than 120 parts.');

export const PLAN_NOT_FOUND = failure('plan_not_found', 'The booking has never had a plan.');

/** Whether the terms of a plan give more parts of a booking than a plan may have. */
export function isTooLong(
  { putAtMs, spec }: Pick<PlanRow, 'putAtMs' | 'spec'>,
  { booking, property }: Pick<BookingState, 'booking' | 'property'>,
): boolean {
  const clock = { putAtMs, timeZone: property.timeZone };
  return partsOfTerms(spec, booking, clock).length > MOST_PARTS;
}
