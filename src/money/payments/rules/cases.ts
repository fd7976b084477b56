import type { PendingOperation, TransactionRow } from '../../../schema/moneyTables.ts';

/** A transaction whose payment the acquirer has, under its id there: it can be captured, released or refunded. */
export type AtGateway = TransactionRow & { readonly gatewayReference: string };

/** Whether the acquirer's id of a payment is known. One that was accepted by hand may have none. */
export function isAtGateway(row: TransactionRow): row is AtGateway {
  return row.gatewayReference !== null;
}

/** A transaction in `Processing`: an operation that the acquirer was asked for, and whose outcome is not known. */
export type UnderWay = TransactionRow & {
  /** The key under which the acquirer was asked. */
  readonly gatewayKey: string;
  readonly askedAtMs: number;
} & (
    | { readonly pendingOperation: 'charge' }
    | {
        readonly pendingOperation: Exclude<PendingOperation, 'charge'>;
        /** When the hold ends. */
        readonly expiresAtMs: number;
      }
  );

/** A row as the operation under way that it is. Throws if it is none: the schema refuses such a row in `Processing`. */
export function underWay(row: TransactionRow): UnderWay {
  const { askedAtMs, expiresAtMs, gatewayKey, pendingOperation } = row;
  if (pendingOperation === null || gatewayKey === null || askedAtMs === null) {
    throw new Error('no operation is under way');
  }
  const asked = { ...row, gatewayKey, askedAtMs };
  if (pendingOperation === 'charge') return { ...asked, pendingOperation };
  if (expiresAtMs === null) throw new Error('a hold has no end');
  return { ...asked, pendingOperation, expiresAtMs };
}
