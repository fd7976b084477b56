import type { BookingWork } from '../bookings/work.ts';
import { assertNever } from '../core/result.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import type {
  FollowUpRequest,
  LookUp,
  MoneyRequest,
  OperationKind,
  Outcome,
} from '../gateways/gateway.ts';
import type { PendingOperation } from './states.ts';

/**
 * Asks the gateway for the operation that a transaction waits for. The request is made from the row and its
 * card alone, so that sending it again sends the same.
 */
export async function ask(work: BookingWork, row: TransactionRow, card: CardRow): Promise<Outcome> {
  const startedMs = Date.now();
  const outcome = await send(work, row, card).catch(unanswered);
  const kind = pendingOf(row);
  work.observe({ operation: row.id, kind, outcome, ms: Date.now() - startedMs });
  return outcome;
}

function unanswered(): Outcome {
  return { kind: 'unknown', reason: 'the call failed without an answer' };
}

/** Asks the gateway what became of the operation that a transaction waits for. */
export async function lookUp(
  work: BookingWork,
  row: TransactionRow,
  card: CardRow | null,
): Promise<LookUp> {
  const { propertyId, reference, gatewayReference } = row;
  const inquiry = {
    kind: kindOf(pendingOf(row)),
    idempotencyKey: keyOf(row),
    propertyId,
    reference,
    gatewayToken: card?.gatewayToken ?? '',
    gatewayReference,
    sinceMs: mayBeMadeSinceMs(row),
  };
  try {
    return await work.crossings.cross('gateway.lookUp', () => work.gateway.lookUp(inquiry));
  } catch {
    return { kind: 'unknown', reason: 'the call failed without an answer' };
  }
}

/**
 * Since when the operation under way may have been made. D1 may have been taken back to a time before a schedule was charged,
 * so a schedule's charge is looked for from its own time on.
 */
function mayBeMadeSinceMs({ askedAtMs, createdAtMs, scheduledAtMs }: TransactionRow): number {
  const askedSinceMs = askedAtMs ?? createdAtMs;
  return Math.min(askedSinceMs, scheduledAtMs ?? askedSinceMs);
}

async function send(work: BookingWork, row: TransactionRow, card: CardRow): Promise<Outcome> {
  const { crossings, gateway } = work;
  const operation = pendingOf(row);
  switch (operation) {
    case 'charge':
      return crossings.cross('gateway.charge', () => gateway.charge(moneyRequest(row, card)));
    case 'authorize':
      return crossings.cross('gateway.authorize', () => gateway.authorize(moneyRequest(row, card)));
    case 'capture':
      return crossings.cross('gateway.capture', () => gateway.capture(captureRequest(row, card)));
    case 'release':
    case 'expire':
      return crossings.cross('gateway.release', () => gateway.release(followUp(row, card)));
    default:
      return assertNever(operation);
  }
}

function kindOf(operation: PendingOperation): OperationKind {
  switch (operation) {
    case 'authorize':
      return 'authorization';
    case 'expire':
      return 'release';
    default:
      return operation;
  }
}

function followUp(row: TransactionRow, card: CardRow): FollowUpRequest {
  return { ...moneyRequest(row, card), gatewayReference: row.gatewayReference ?? '' };
}

function captureRequest(row: TransactionRow, card: CardRow): FollowUpRequest {
  return { ...followUp(row, card), amountMinor: row.captureAmountMinor ?? row.amountMinor };
}

function moneyRequest(row: TransactionRow, { gatewayToken }: CardRow): MoneyRequest {
  const { propertyId, bookingReference, reference, amountMinor, currency } = row;
  return {
    idempotencyKey: keyOf(row),
    propertyId,
    bookingReference,
    reference,
    amountMinor,
    currency,
    gatewayToken,
  };
}

function pendingOf(row: TransactionRow): PendingOperation {
  if (row.pendingOperation === null) throw new Error('nothing is under way');
  return row.pendingOperation;
}

function keyOf(row: TransactionRow): string {
  if (row.gatewayKey === null) throw new Error('an operation under way has no gateway key');
  return row.gatewayKey;
}
