/** The rules that a run must not break. */
export const rules = [
  'duplicated',
  'lost',
  'amount differs',
  'refunded too much',
  'answer not true any more',
  'replay differs',
  'not made by one request',
  'still open',
] as const;

export type Rule = (typeof rules)[number];

/** One violation of a rule. */
export interface Violation {
  readonly rule: Rule;
  readonly detail: string;
}
