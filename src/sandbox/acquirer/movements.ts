import type { GatewayMovement } from '../../gateways/movements.ts';
import { type AcquirerOperation, originOf, type SequencedOperation } from './operations.ts';

/** How many movements a page has. */
export const MOVEMENTS_PER_PAGE = 100;

/** Where a page of movements begins: after this one. */
export interface MovementPosition {
  readonly atMs: number;
  readonly sequence: number;
}

/** The cursor of the page that begins after a movement. */
export function cursorAfter({ atMs, sequence }: SequencedOperation): string {
  return `${atMs}.${sequence}`;
}

/** Reads a cursor; null for the first page. */
export function positionOf(cursor: string | null): MovementPosition | null {
  if (cursor === null) return null;
  const [atMs = '', sequence = ''] = cursor.split('.');
  return { atMs: Number(atMs), sequence: Number(sequence) };
}

/** An operation that moved money, as the gateway reports it. */
export function movementOf(operation: AcquirerOperation): GatewayMovement {
  const { gatewayReference: id, payment, propertyId, currency, atMs, movedMinor } = operation;
  const about = originOf(operation);
  return {
    id,
    kind: kindOf(operation),
    payment,
    subject: subjectOf(operation),
    about,
    ...(about === null && { propertyId }),
    amountMinor: movedMinor,
    currency,
    atMs,
  };
}

function kindOf({ kind }: AcquirerOperation): GatewayMovement['kind'] {
  switch (kind) {
    case 'refund':
    case 'refund_failure':
    case 'dispute':
    case 'dispute_reversal':
      return kind;
    default:
      return 'charge';
  }
}

/**
 * The acquirer's id of the charge, refund or dispute that a movement is about: a reversal names what it takes back, and
 * the withdrawal after an inquiry the inquiry.
 */
export function subjectOf(operation: AcquirerOperation): string {
  const { dispute, kind, subject, gatewayReference } = operation;
  const namesAnother =
    kind === 'refund_failure' ||
    kind === 'dispute_reversal' ||
    (kind === 'dispute' && dispute === undefined);
  return namesAnother ? subject : gatewayReference;
}
