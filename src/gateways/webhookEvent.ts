/**
 * An event that an acquirer sends. It only names an object: the service reads the object's current state from the
 * acquirer, because events may arrive twice, late and in any order. `account` is the connected account that the event is
 * from; null for the platform's own.
 * - `payment`: something happened to a payment or to one of its refunds, whoever caused it;
 * - `card-setup`: a guest's card was set up, such as at the bank after the guest left the page;
 * - `card`: a stored card changed, such as one that its issuer renewed. `id` is its vault token;
 * - `other`: this service does not use it.
 */
export type WebhookEvent =
  | {
      readonly kind: 'payment' | 'dispute' | 'payout' | 'card-setup' | 'card';
      readonly id: string;
      readonly account: string | null;
    }
  | { readonly kind: 'other' };
