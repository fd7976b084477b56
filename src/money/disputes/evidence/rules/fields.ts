/** What evidence can be missing (interface: Get the evidence). */
export const evidenceParts = [
  'agreements',
  'bankStep',
  'earlierPayments',
  'mails',
  'openings',
  'policy',
  'refunds',
  'stay',
] as const;

export type EvidencePart = (typeof evidenceParts)[number];

/** The fields of evidence that are texts, as Stripe names them, which the sandbox follows; and what each says. */
export const fieldMeanings = {
  access_activity_log: "openings of the guest's page and what they agreed to",
  billing_address: "the guest's",
  cancellation_policy_disclosure: 'the policy, and when it was shown',
  cancellation_rebuttal: 'whether and when the booking was cancelled',
  customer_email_address: "the guest's",
  customer_name: "the guest's",
  customer_purchase_ip: 'the address from which the guest paid or entered the card',
  duplicate_charge_explanation: 'what each charge of the booking was for',
  duplicate_charge_id: "the gateway's id of another charge of the booking",
  product_description: 'the stay and the charge',
  refund_policy_disclosure: 'the policy',
  refund_refusal_explanation: 'what was refunded, or why nothing was',
  service_date: 'the arrival',
  uncategorized_text: 'what happened, in order',
} as const;

export type EvidenceField = keyof typeof fieldMeanings;

export const evidenceFields = Object.keys(fieldMeanings) as [EvidenceField, ...EvidenceField[]];

export type EvidenceTexts = Readonly<Partial<Record<EvidenceField, string>>>;

/** The most characters of all fields together. */
export const LONGEST_EVIDENCE = 150_000;

/** Fields of which Stripe takes less: names, addresses, ids and days. */
const SHORT: ReadonlySet<EvidenceField> = new Set([
  'billing_address',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_id',
  'service_date',
]);

/** The most characters of a field, as Stripe's OpenAPI document has them. */
export function longestOf(field: EvidenceField): number {
  return SHORT.has(field) ? 5_000 : 20_000;
}

/** What is sent: what is suggested, with other texts in place of it. An empty one leaves its field out. Null if it is too long. */
export function evidenceToSend(
  suggested: EvidenceTexts,
  written: EvidenceTexts,
): Readonly<Record<string, string>> | null {
  const filled = Object.entries({ ...suggested, ...written }).filter(([, text]) => text);
  const length = filled.reduce((sum, [, text]) => sum + (text?.length ?? 0), 0);
  return length > LONGEST_EVIDENCE ? null : Object.fromEntries(filled);
}
