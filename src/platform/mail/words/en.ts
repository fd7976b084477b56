/**
 * The words of mails to guests, in English; what their pages say too is in the catalogue of those. A translation has the
 * same members. Arguments are ready to be shown.
 */
export const en = {
  facts: { refund: 'Refund number', for: 'For' },

  cardRequest: {
    subject: (property: string, reference: string) =>
      `Add a card for your stay at ${property} (${reference})`,
    subjectWithoutStay: (property: string) => `Add a card for ${property}`,
    heading: 'Add a card',
    action: 'Add your card',
    until: (time: string) => `You can add one card with this link, until ${time}.`,
    unexpected: 'If you did not expect this message, please ignore it.',
  },

  receipt: {
    subject: (property: string, reference: string) =>
      `Payment receipt from ${property} (${reference})`,
    heading: 'Payment receipt',
    opening: (property: string, amount: string) =>
      `${property} has received your payment of ${amount}. Thank you.`,
    transactionFee: 'Transaction fee',
  },

  refund: {
    subject: (property: string, reference: string) => `Refund from ${property} (${reference})`,
    heading: 'Refund',
    opening: (property: string, amount: string) => `${property} has refunded ${amount} to you.`,
    timing: 'It can take your bank some days to show it on your statement.',
    total: 'Total refunded',
  },

  failedPayment: {
    subject: (property: string, reference: string) =>
      `Your payment to ${property} did not go through (${reference})`,
    heading: 'Payment not made',
    opening: (property: string, amount: string) =>
      `${property} tried to charge ${amount} to your card. You were not charged.`,
    noCard: 'There is no card for this payment.',
    notMade: 'The payment could not be made for a technical reason.',
    payOnline: 'You can pay with this or another card on our secure page.',
    action: 'Pay now',
    contact: (property: string) => `Please contact ${property} to pay in another way.`,
  },
};
