import type { KeyedOperation, Operation } from './operation.ts';
import type { BookingModel } from './state.ts';

/** What a command does, one after the other. */
export type Step =
  | { readonly step: 'do'; readonly operation: Operation }
  /** Two operations at once, the second up to a few milliseconds behind. */
  | { readonly step: 'race'; readonly both: readonly [Operation, Operation]; readonly lag: number }
  /** Time passes, and every alarm rings in time; `early` rings one too soon, which must do nothing. */
  | { readonly step: 'pass'; readonly untilMs: number; readonly early: boolean }
  /** Time passes and no alarm rings. */
  | { readonly step: 'stall'; readonly untilMs: number }
  /** D1 is set back to what it was before these steps; the acquirer keeps what happened. */
  | { readonly step: 'restored'; readonly steps: readonly Step[] }
  | { readonly step: 'list' }
  /** The service learns all that the acquirer knows of the booking. */
  | { readonly step: 'reconcile' };

/** One booking as its commands see it: the model, and what was sent so far. */
export interface Session {
  model: BookingModel;
  /** Requests under an idempotency key, to be sent again. */
  readonly keyed: KeyedOperation[];
  /** Makes a reference that nothing has yet: 32 hex digits. */
  readonly fresh: () => string;
}
