import * as fc from 'fast-check';
import * as draft from './drafts.ts';
import type { Operation } from './operation.ts';
import { perform } from './perform.ts';
import type { BookingModel } from './state.ts';
import type { Session, Step } from './steps.ts';

/** The steps of a command on a booking as it is; null when the booking has nothing for it. */
export type Plan = (session: Session) => Step[] | null;

/** The booking's object serves whatever is due. */
export const WAKE: Operation = { do: 'wake' };

/** The acquirer answers again. */
export const BACK: Operation = { do: 'outage', outage: null };

/** The booking after these operations. */
export function after(model: BookingModel, operations: readonly Operation[]): BookingModel {
  return operations.reduce((before, operation) => perform(before, operation).model, model);
}

export function doing(operation: Operation): Step[] {
  return [{ step: 'do', operation }];
}

/** A card is attached, and a payment made on it. */
export function onNewCard(session: Session, attach: draft.Draft, pay: draft.Draft): Operation[] {
  const [attached, paid] = [attach(session), pay(session)];
  if (attached?.do !== 'attach' || paid?.do !== 'pay') return [];
  return [attached, { ...paid, token: attached.token }];
}

/** What a caller, a guest or the acquirer does, whatever the booking has. */
export function anyOperation(): fc.Arbitrary<draft.Draft> {
  return fc.oneof(
    draft.charge,
    draft.schedule,
    draft.hold,
    draft.capture,
    draft.release,
    draft.cancelSchedule,
    draft.cancelSchedules,
    draft.refundCharge,
    draft.refundAny,
    draft.cancelBooking,
    draft.changeStay,
    draft.guestPays,
    draft.decideAtBank,
    draft.comeBack,
    draft.repeat,
    draft.tell,
  );
}
