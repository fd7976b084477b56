/** What the acquirer answers of what it has recorded. */
import type { PaymentOutcome } from '../../gateways/gateway.ts';
import {
  approval,
  disputeRejection,
  rejection,
  temporaryRejection,
} from '../../gateways/rules/outcome.ts';
import type { SandboxRequest } from '../../gateways/sandbox.ts';
import { type AcquirerOperation, bankUrlOf } from './operations.ts';
import { ACQUIRERS_ERROR, CHARGE_DISPUTED } from './rules/judge.ts';

const OTHER_REQUEST = 'the idempotency key was used for another request';

/** A key stands for one operation: one of another kind was never carried out under it. */
export const NEVER = rejection(OTHER_REQUEST);

/**
 * What a recorded operation says of a request with its key. Of one in another amount or on another card it says nothing: as
 * at acquirers, who asks looks the key up.
 */
export function outcomeFor(recorded: AcquirerOperation, request: SandboxRequest): PaymentOutcome {
  if (recorded.kind !== request.kind) return NEVER;
  const isSame =
    recorded.amountMinor === request.amountMinor &&
    recorded.currency === request.currency &&
    recorded.subject === request.subject;
  return isSame ? outcomeOf(recorded) : { kind: 'unknown', reason: OTHER_REQUEST };
}

export function outcomeOf(operation: AcquirerOperation): PaymentOutcome {
  const code = operation.code ?? '';
  switch (operation.status) {
    case 'succeeded':
      return approval(operation.gatewayReference, {
        amountMinor: operation.amountMinor,
        atMs: operation.atMs,
        lapsesAtMs: operation.lapsesAtMs ?? null,
      });
    case 'pending':
      return {
        kind: 'open',
        gatewayReference: operation.gatewayReference,
        url: bankUrlOf(operation),
      };
    case 'declined':
      return { kind: 'declined', declineCode: code, retryable: operation.retryable };
    case 'failed':
      if (code === CHARGE_DISPUTED) return disputeRejection(code);
      return code === ACQUIRERS_ERROR ? temporaryRejection(code) : rejection(code);
  }
}
