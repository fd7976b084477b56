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

  recovery: {
    declined: {
      subject: (property: string, reference: string) =>
        `Payment for your stay at ${property} (${reference})`,
      heading: 'A payment needs your attention',
    },
    expiring: {
      subject: (property: string, reference: string) =>
        `Your card for your stay at ${property} (${reference})`,
      heading: 'Your card expires soon',
    },
    stay: (property: string, arrival: string, departure: string, reference: string) =>
      `This is about your stay at ${property} from ${arrival} to ${departure} (${reference}).`,
    answerBy: (time: string) => `Please replace the card or pay now, by ${time}.`,
    chargedAtOnce:
      'If you add another card, the payment that was declined is charged to it at once.',
    action: 'Replace the card or pay',
    closing: (property: string) =>
      `${property} won't see your card number. If you have answered already, please ignore this message.`,
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
