import type { Verdict } from './settle.ts';
import type { GuestPurpose, Lowered, Outage, PaymentKind, Purpose, Terms } from './state.ts';

/** One thing that happens to a booking, with everything decided: the model and the service are given the same. */
export type Operation =
  | {
      readonly do: 'attach';
      readonly token: string;
      /** The test card, by its place in the list. */
      readonly card: number;
      readonly expiry: { readonly month: number; readonly year: number };
      readonly expiresAtMs: number;
      readonly enteredBy: 'api' | 'guest';
      /** The account that its property has. */
      readonly account: string;
      /** Entered to pay with: it is in use once something is paid with it. */
      readonly toPay: boolean;
    }
  | {
      readonly do: 'pay';
      readonly kind: PaymentKind;
      readonly ref: string;
      readonly purpose: Purpose;
      readonly requestedMinor: number;
      readonly limitToDue: boolean;
      readonly virtual: boolean;
      /** The card named; null for the one in use. */
      readonly token: string | null;
      /** When a schedule is charged, or a hold ends. */
      readonly atMs: number | null;
      /** The quote that it is to be charged by; null for none. */
      readonly quote: string | null;
      readonly key: string | null;
    }
  /** A guest pays on the page, which showed the price and the schedules that are paid with it. */
  | {
      readonly do: 'guest pays';
      readonly ref: string;
      readonly purpose: GuestPurpose;
      readonly requestedMinor: number;
      readonly agreedMinor: number;
      readonly replaces: readonly string[];
      readonly lowers: Lowered | null;
      readonly token: string;
      readonly key: string | null;
    }
  /** A guest decides about a payment on their bank's page, past the service. */
  | { readonly do: 'decide at bank'; readonly ref: string; readonly allows: boolean }
  /** A guest comes back to the page of a payment, or gives it up there. */
  | { readonly do: 'come back'; readonly ref: string; readonly givesUp: boolean }
  | {
      readonly do: 'quote';
      readonly name: string;
      readonly kind: 'charge' | 'authorization';
      readonly purpose: Purpose;
      readonly requestedMinor: number;
      readonly virtual: boolean;
      readonly token: string | null;
    }
  | {
      readonly do: 'capture';
      readonly ref: string;
      readonly amountMinor: number | null;
      readonly key: string | null;
    }
  | { readonly do: 'release'; readonly ref: string; readonly key: string | null }
  | { readonly do: 'cancel schedule'; readonly ref: string; readonly key: string | null }
  | { readonly do: 'cancel schedules'; readonly key: string | null }
  | {
      readonly do: 'refund';
      readonly command: string;
      readonly amountMinor: number;
      readonly waive: boolean;
      readonly ref: string | null;
      readonly key: string | null;
    }
  | {
      readonly do: 'save';
      readonly status: 'booked' | 'cancelled';
      readonly totalMinor: number;
    }
  /** The property lays down something else. */
  | { readonly do: 'set'; readonly terms: Terms }
  /** The acquirer begins to fail the property, or answers again. */
  | { readonly do: 'outage'; readonly outage: Outage | null }
  | { readonly do: 'resolve by hand'; readonly ref: string; readonly verdict: Verdict }
  | {
      readonly do: 'resolve refund by hand';
      readonly command: string;
      readonly part: number;
      readonly verdict: Verdict;
    }
  /** A person does something at the acquirer's own desk, past the service. */
  | { readonly do: 'desk'; readonly act: DeskAct }
  /** A request that was lost on its way to the acquirer arrives there, by its key. */
  | { readonly do: 'arrive late'; readonly request: string }
  /** The acquirer tells the service that something became of a payment, or of a dispute. */
  | { readonly do: 'tell'; readonly ref: string }
  | { readonly do: 'tell dispute'; readonly ref: string; readonly dispute: string }
  /** The booking's object serves whatever is due. */
  | { readonly do: 'wake' };

/** What is done at the desk: payments by their references, refunds and disputes by the names of their entries. */
export type DeskAct =
  | {
      readonly action: 'capture' | 'release' | 'refund' | 'inquiry' | 'dispute';
      readonly ref: string;
      /** Null for all that is left. */
      readonly amountMinor: number | null;
    }
  | {
      readonly action: 'winDispute' | 'loseDispute';
      readonly ref: string;
      readonly dispute: string;
      /** What comes back of one that is won; null for all. */
      readonly amountMinor: number | null;
    }
  | { readonly action: 'failRefund'; readonly refund: string }
  | { readonly action: 'charge'; readonly token: string; readonly amountMinor: number };

/** Operations that may carry an idempotency key. */
export type KeyedOperation = Extract<Operation, { readonly key: string | null }>;

/** The name that an operation's keys go by (interface: Idempotency). */
export function keySpace(operation: KeyedOperation) {
  switch (operation.do) {
    case 'pay':
      return operation.kind === 'schedule' ? 'schedule' : 'create';
    case 'guest pays':
      return 'create';
    case 'capture':
      return 'charge-pre-auth';
    case 'release':
      return 'cancel-pre-auth';
    case 'cancel schedule':
      return 'cancel-schedule';
    case 'cancel schedules':
      return 'cancel-schedules';
    case 'refund':
      return 'refund';
  }
}

/** What the caller sent: the reference of what is made comes from the service, a request sent again has another. */
export function requestOf(operation: KeyedOperation): Record<string, unknown> {
  const { key: _key, ...request } = operation;
  if (request.do === 'pay' || request.do === 'guest pays') return { ...request, ref: '' };
  return request.do === 'refund' ? { ...request, command: '' } : request;
}
