/** The gateway fails to charge it: a schedule waits for it for three days. */
export const failingCard = '4000000000000119';

/** The sandbox's cards in the load, with their weights (interface: Test cards). */
export const cardMix: readonly (readonly [cardNumber: string, weight: number])[] = [
  ['4242424242424242', 6],
  ['5555555555554444', 4],
  // Declined: softly, softly, for good, and softly once.
  ['4000000000000002', 1],
  ['4000000000009995', 1],
  ['4000000000009987', 1],
  ['4000000000009300', 1],
  // The gateway's own error.
  [failingCard, 1],
  // The answer is lost: charged, and not charged.
  ['4000000000009003', 4],
  ['4000000000009102', 4],
  // Answers after five seconds.
  ['4000000000009201', 3],
  // Its refunds fail.
  ['4000000000005126', 1],
];

/** Every booking also has this card, so that it has something to refund. */
export const goodCard = '4111111111111111';
