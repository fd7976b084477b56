import type { CallerKey } from '../../operation/idempotency.ts';
import { newReference } from '../../platform/ids.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { TransactionCommand } from './rules/newTransaction.ts';
import type { Purpose } from './rules.ts';

/** A payment as it reaches the booking's object. */
export interface PaymentCommand extends TransactionCommand {
  readonly caller: CallerKey | null;
  /** Whether a payment like an earlier one is wanted. A caller's key says so too. */
  readonly allowDuplicate: boolean;
  /** The quote to charge exactly; null for none. */
  readonly quoteId: string | null;
  /** The total that the payer agreed to, fees included; null where they were shown none. */
  readonly agreedMinor: number | null;
}

/** A validated payment request of any kind. */
interface PaymentBody {
  readonly amount: number;
  readonly isVirtualCard?: boolean | undefined;
  readonly description?: string | undefined;
  readonly transactionType?: Purpose | undefined;
  readonly token?: string | undefined;
  readonly limitToDue?: boolean | undefined;
  readonly allowDuplicate?: boolean | undefined;
  readonly quoteId?: string | undefined;
  readonly initiator?: TransactionRow['initiator'] | undefined;
}

/** Turns a request into a command for the booking's object, with a reference for the new transaction. */
export function paymentCommand(
  body: PaymentBody,
  kind: PaymentCommand['kind'],
  time: PaymentCommand['time'],
  currency: string,
  caller: CallerKey | null,
): PaymentCommand {
  return {
    kind,
    time,
    currency,
    caller,
    requestedMinor: body.amount,
    virtualCard: body.isVirtualCard ?? false,
    description: body.description ?? null,
    purpose: body.transactionType ?? 'Manual',
    cardToken: body.token ?? null,
    initiator: body.initiator ?? 'property',
    returnBase: null,
    replaces: [],
    lowers: null,
    replacesCharge: null,
    limitToDue: body.limitToDue ?? false,
    quoteId: body.quoteId ?? null,
    agreedMinor: null,
    allowDuplicate: body.allowDuplicate ?? false,
    transactionReference: newReference(),
  };
}
