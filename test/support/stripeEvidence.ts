/**
 * What Stripe takes as evidence, from its published OpenAPI document (`dispute_evidence_params` of
 * `POST /v1/disputes/{dispute}`, version 2026-09-30.endive; read on 2026-11-26): each field that is a text, with the most
 * characters that it may have.
 */
export const stripeTexts: ReadonlyMap<string, number> = new Map([
  ['access_activity_log', 20_000],
  ['billing_address', 5_000],
  ['cancellation_policy_disclosure', 20_000],
  ['cancellation_rebuttal', 20_000],
  ['customer_email_address', 5_000],
  ['customer_name', 5_000],
  ['customer_purchase_ip', 5_000],
  ['duplicate_charge_explanation', 20_000],
  ['duplicate_charge_id', 5_000],
  ['product_description', 20_000],
  ['refund_policy_disclosure', 20_000],
  ['refund_refusal_explanation', 20_000],
  ['service_date', 5_000],
  ['shipping_address', 5_000],
  ['shipping_carrier', 5_000],
  ['shipping_date', 5_000],
  ['shipping_tracking_number', 5_000],
  ['uncategorized_text', 20_000],
]);

/** The fields that are the id of an uploaded file. */
export const stripeFiles: ReadonlySet<string> = new Set([
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
]);

/** The most characters of all texts together. */
export const STRIPE_MOST_TEXT = 150_000;
