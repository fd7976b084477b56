import { hex } from '../core/ids.ts';
import type { CallerKey } from '../idempotency/actions.ts';
import type { PaymentCommand } from './create.ts';
import type { Purpose } from './rules.ts';

/** A validated payment request, whatever its kind. */
interface PaymentBody {
  readonly amount: number;
  readonly isVirtualCard?: boolean | undefined;
  readonly description?: string | undefined;
  readonly transactionType?: Purpose | undefined;
  readonly token?: string | undefined;
}

/** A request as a command to the booking's object, with the reference of what it makes. */
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
    transactionReference: newReference(),
  };
}

/** 32 random hex digits. */
export function newReference(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}
