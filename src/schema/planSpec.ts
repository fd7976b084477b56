/** When a part is due: a number of local days from an anchor, at a local time. */
export interface PlanDue {
  readonly anchor: 'now' | 'arrival' | 'departure' | 'date';
  /** `YYYY-MM-DD`; null unless the anchor is a date. */
  readonly date: string | null;
  readonly days: number | null;
  /** `HH:MM`. */
  readonly time: string | null;
}

/** What of a booking a term charges. */
export type PlanShare =
  | { readonly kind: 'amount'; readonly amountMinor: number }
  /** In hundredths of a per cent. */
  | { readonly kind: 'percent'; readonly hundredths: number }
  | { readonly kind: 'firstNight' | 'rest' };

export interface PlanTerm {
  readonly label: string | null;
  readonly purpose: 'Deposit' | 'Balance';
  readonly share: PlanShare;
  readonly due: PlanDue;
}

/** A charge for each week, fortnight or month of the stay. Days are `YYYY-MM-DD`; null for those of the stay. */
export interface PlanRepeat {
  readonly every: 'week' | 'fortnight' | 'month';
  readonly amountMinor: number;
  readonly from: string | null;
  readonly until: string | null;
  readonly days: number;
  readonly time: string | null;
  readonly lastPeriod: 'prorate' | 'full';
  readonly label: string | null;
  readonly purpose: 'Deposit' | 'Balance';
}

/** What a plan's parts follow from (interface: Terms). */
export interface PlanSpec {
  readonly terms: readonly PlanTerm[];
  readonly repeat: PlanRepeat | null;
}
