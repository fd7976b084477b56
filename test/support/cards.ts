/** Numbers of the sandbox's test cards, each named after what it does, and of Stripe's where they do the same. */
export const GOOD = '4242424242424242';
export const OTHER_GOOD = '5555555555554444';
export const AMEX = '378282246310005';
export const VISA_DEBIT_AU = '4111111111111111';

/** Declined without a reason, or for the funds: both may be tried again. */
export const DECLINED = '4000000000000002';
export const INSUFFICIENT_FUNDS = '4000000000009995';
/** Declined for good. */
export const LOST_CARD = '4000000000009987';
/** Declined the first time, accepted after that. */
export const DECLINED_ONCE = '4000000000009300';

/** The acquirer charges, and its answer is lost. */
export const ANSWER_LOST = '4000000000009003';
/** The request is lost: the acquirer never hears of it. */
export const NEVER_ARRIVES = '4000000000009102';
/** Answered after seconds. */
export const SLOW = '4000000000009201';

/** Its refunds fail. */
export const REFUND_FAILS = '4000000000005126';
/** Disputed as soon as it is charged. */
export const DISPUTED = '4000000000000259';

/** Its bank asks for the guest at each payment. */
export const ASKS_GUEST = '4000002760003184';
/** Its bank asks for the guest only when the card is kept (Stripe's). */
export const ASKS_WHEN_KEPT = '4000002500003155';
