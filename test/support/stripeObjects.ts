/** Stripe's objects as far as the stand-in keeps them. References are ids; `expand` in a request replaces them. */

export interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  status: string;
  readonly amount: number;
  amount_capturable: number;
  amount_received: number;
  readonly currency: string;
  readonly customer: string;
  readonly payment_method: string | null;
  readonly created: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  readonly capture_method: string;
  next_action: object | null;
  readonly description: string | null;
  readonly statement_descriptor_suffix: string | null;
  metadata: Record<string, string>;
  last_payment_error: object | null;
  latest_charge: string | null;
}

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly amount: number;
  amount_captured: number;
  amount_refunded: number;
  captured: boolean;
  readonly currency: string;
  readonly created: number;
  readonly status: 'succeeded' | 'failed';
  readonly payment_intent: string;
  /** As the payment had it when the charge was made. */
  readonly metadata: Record<string, string>;
  readonly payment_method_details: object;
  balance_transaction: string | null;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  status: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly charge: string | null;
  readonly payment_intent: string;
  readonly metadata: Record<string, string>;
  failure_reason?: string;
  balance_transaction: string | null;
  failure_balance_transaction?: string;
}

export interface Setup {
  readonly id: string;
  readonly object: 'setup_intent';
  status: string;
  readonly created: number;
  readonly customer: string | null;
  readonly usage: string;
  readonly metadata: Record<string, string>;
  readonly next_action: object | null;
  readonly last_setup_error: object | null;
  readonly payment_method: string;
}

/** A dispute holds its balance transactions themselves: a withdrawal, and later perhaps its reversal. */
export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly reason: string;
  status: string;
  readonly charge: string | null;
  readonly payment_intent: string;
  readonly metadata: Record<string, string>;
  readonly balance_transactions: BalanceTransaction[];
  evidence: Record<string, string>;
  readonly evidence_details: {
    due_by: number | null;
    has_evidence: boolean;
    submission_count: number;
  };
}

/** A file that was uploaded. Its content is not kept. */
export interface KeptFile {
  readonly id: string;
  readonly object: 'file';
  readonly created: number;
  readonly expires_at: number | null;
  readonly filename: string;
  readonly purpose: 'dispute_evidence';
  readonly size: number;
  readonly type: 'pdf';
}

export interface Payout {
  readonly id: string;
  readonly object: 'payout';
  status: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly arrival_date: number;
  readonly description: string | null;
  readonly statement_descriptor: null;
  automatic: boolean;
  readonly reconciliation_status: 'completed';
}

export interface BalanceTransaction {
  readonly id: string;
  readonly object: 'balance_transaction';
  readonly type: string;
  readonly reporting_category: string;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  created: number;
  readonly available_on: number;
  readonly description: string | null;
  readonly source: string | null;
  payout: string | null;
}

export interface PaymentMethod {
  readonly id: string;
  readonly object: 'payment_method';
  readonly card: object;
  readonly billing_details: { readonly name: string | null };
  /** Whose it is; null before it is attached and after it was detached. */
  customer: string | null;
}

/** What an answer of Stripe says, with headers besides the usual ones. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function done(body: object): Answer {
  return { status: 200, body: structuredClone(body) };
}

export function missing(): Answer {
  return refused(404, { code: 'resource_missing', message: 'No such object' });
}

export function refused(status: number, error: object): Answer {
  return { status, body: { error: { type: 'invalid_request_error', ...error } } };
}
