import type { Override } from '../booking/manualResolution.ts';
import type { CancellationRequest } from '../money/settlements/rules/decideCancellation.ts';
import type { Config } from '../platform/config.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import type { Database } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import type { Trace } from '../platform/trace.ts';
import { hasRight, type Person, type Right } from '../records/staff/rules.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';

export interface ChosenTime {
  /** ISO 8601 with offset. */
  readonly text: string;
  readonly atMs: number;
}

/** A payment that a person asks for. Amounts are minor units without fees. */
interface DeskPayment {
  readonly amountMinor: number;
  readonly purpose: TransactionRow['purpose'];
  /** Null for the booking's card. */
  readonly cardToken: string | null;
  readonly description: string | null;
  /** Whether the guest asks for it by phone or mail, or the property by itself. Guests pay on their page. */
  readonly initiator: 'property' | 'phone';
}

/** What a person of the staff asks to be done to a booking (interface: Console). */
export type DeskAction =
  | ({ readonly do: 'charge' } & DeskPayment)
  | ({ readonly do: 'schedule'; readonly time: ChosenTime } & DeskPayment)
  | ({ readonly do: 'hold'; readonly time: ChosenTime } & DeskPayment)
  /** `amountMinor` null captures the whole hold. */
  | { readonly do: 'capture'; readonly chargeId: number; readonly amountMinor: number | null }
  | { readonly do: 'release'; readonly chargeId: number }
  /** `chargeId` null refunds any of the booking's charges. */
  | {
      readonly do: 'refund';
      readonly amountMinor: number;
      readonly chargeId: number | null;
      readonly description: string | null;
      /** Whether the stay costs less by it. */
      readonly waive: boolean;
    }
  | { readonly do: 'cancelSchedule'; readonly chargeId: number }
  | { readonly do: 'cancelSchedules' }
  /** `keep` null keeps what the policy says. */
  | ({ readonly do: 'cancelBooking' } & Pick<CancellationRequest, 'reason' | 'keep'>)
  /** The plan of one of the property's templates, in place of the active one. */
  | { readonly do: 'putPlan'; readonly template: string }
  | { readonly do: 'cancelPlan' }
  | { readonly do: 'requestCard' }
  | { readonly do: 'makeLink' }
  | { readonly do: 'mailLink' }
  /** Ends a payment or refund that got no answer; `gatewayReference` is the acquirer's id of what was accepted. */
  | {
      readonly do: 'resolve';
      readonly id: number;
      readonly outcome: Override['outcome'];
      readonly gatewayReference: string | null;
      readonly reason: string;
    };

/** The kind of transaction that each payment makes. */
export const kindOf = {
  charge: 'charge',
  schedule: 'schedule',
  hold: 'authorization',
} as const satisfies Partial<Record<DeskAction['do'], TransactionRow['kind']>>;

/** Whether an action has a price, or a plan, which is shown before it is done. */
export function isPriced(action: DeskAction): boolean {
  return action.do in kindOf || action.do === 'cancelBooking' || action.do === 'putPlan';
}

export const rightFor = {
  charge: 'charge',
  schedule: 'schedule',
  hold: 'hold',
  capture: 'hold',
  release: 'hold',
  refund: 'refund',
  cancelSchedule: 'cancelSchedules',
  cancelSchedules: 'cancelSchedules',
  cancelBooking: 'cancelBookings',
  putPlan: 'schedule',
  cancelPlan: 'cancelSchedules',
  requestCard: 'sendLinks',
  makeLink: 'sendLinks',
  mailLink: 'sendLinks',
  resolve: 'resolve',
} as const satisfies Record<DeskAction['do'], Right>;

/** The most that a person gives back of one booking in a day, in minor units; null for any amount (interface: Staff). */
export function dailyRefundLimit(
  {
    refundLimitCurrency,
    refundLimitMinor: own,
    role,
  }: Pick<Person, 'role' | 'refundLimitMinor' | 'refundLimitCurrency'>,
  { currency, refundLimitMinor }: Pick<PropertyRow, 'currency' | 'refundLimitMinor'>,
): number | null {
  if (role !== 'cashier') return null;
  return (refundLimitCurrency === currency ? own : null) ?? refundLimitMinor ?? 0;
}

/** Whether a person sees the form of an action at all. */
export function mayTry({ role }: Pick<Person, 'role'>, action: DeskAction['do']): boolean {
  return hasRight(role, rightFor[action]);
}

/** Who does something to which booking, and what that takes. */
export interface DeskWork {
  readonly database: Database;
  readonly trace: Trace;
  readonly keyring: Keyring;
  readonly baseUrl: string;
  readonly env: Env;
  readonly config: Config;
  readonly person: Person;
  readonly property: PropertyRow;
  readonly reference: string;
  readonly requestId: string;
}

/** What is done once: the action, the key of its form, and the quote that was shown, if one was. */
export interface DeskOrder {
  readonly action: DeskAction;
  /** A UUID: however often the form is sent, it acts once. */
  readonly key: string;
  readonly quoteId: string | null;
}

/** What came of an action. `link` is the address of the guest's payment page, if one was asked for. */
export interface Done {
  readonly link: string | null;
}
