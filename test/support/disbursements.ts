import { type CallOptions, call } from './api.ts';

/** A disbursement as lists show it. */
export interface Disbursement {
  readonly disbursementId: string;
  readonly gatewayId: string;
  readonly status: string;
  readonly currency: string;
  readonly grossAmount: number;
  readonly fee: number;
  readonly netAmount: number;
  readonly description: string;
  readonly timeEffective: string;
  readonly expectedArrivalDate: string;
  readonly bankLine: object | null;
}

/** One movement of a disbursement. */
export interface DisbursementItem {
  readonly itemId: string;
  readonly gatewayTransactionId: string | null;
  readonly bookingReference: string | null;
  readonly chargeId: number | null;
  readonly refundId: number | null;
  readonly reportingCategory: string;
  readonly grossAmount: number;
  readonly fee: number;
  readonly netAmount: number;
  readonly threeDSAuthenticated: boolean;
}

/** All disbursements of a property, newest first. */
export async function disbursementsOf(options: CallOptions = {}): Promise<Disbursement[]> {
  const { json } = await call('/disbursement/v1/get-all', { limit: 200 }, options);
  return (json as unknown as { disbursements: Disbursement[] }).disbursements;
}

/** What a disbursement is made of. */
export async function itemsOf(
  disbursementId: string,
  options: CallOptions = {},
): Promise<DisbursementItem[]> {
  const { json } = await call('/disbursement/v1/get-details', { disbursementId }, options);
  const { disbursement } = json as unknown as {
    disbursement: { readonly transactions: DisbursementItem[] };
  };
  return disbursement.transactions;
}
