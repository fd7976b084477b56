/**
 * An event that an acquirer sends. It only names an object: the service reads the object's current state from the
 * acquirer, because events may arrive twice, late and in any order. `account` is the connected account that the event is
 * from; null for the platform's own.
 */
export type WebhookEvent =
  /** Something happened to a payment or to one of its refunds, whoever caused it. */
  | { readonly kind: 'payment'; readonly id: string; readonly account: string | null }
  | { readonly kind: 'dispute'; readonly id: string; readonly account: string | null }
  | { readonly kind: 'payout'; readonly id: string; readonly account: string | null }
  /** A guest's card was set up, such as at the bank after the guest left the page. */
  | { readonly kind: 'card-setup'; readonly id: string; readonly account: string | null }
  /** A stored card changed, such as one that its issuer renewed. `id` is its vault token. */
  | { readonly kind: 'card'; readonly id: string; readonly account: string | null }
  /** An event that this service does not use. */
  | { readonly kind: 'other' };
