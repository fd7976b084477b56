/**
 * Every word of the mails, in English: a translation has the same members. Arguments are ready to be shown: amounts,
 * days and times in the reader's form.
 */
export const mailTexts = {
  language: 'en',

  footer: {
    phone: 'Phone',
    email: 'E-mail',
    website: 'Website',
    terms: 'Terms',
    taxId: 'Tax ID',
  },

  facts: {
    guest: 'Guest',
    stay: 'Stay',
    booking: 'Booking',
    payment: 'Payment number',
    refund: 'Refund number',
    card: 'Card',
    time: 'Time',
    for: 'For',
    amount: 'Amount',
  },

  nights: (arrival: string, departure: string) => `${arrival} to ${departure}`,
  endingIn: (brand: string, last4: string) => `${brand} ending in ${last4}`,

  cardRequest: {
    subject: (property: string, reference: string | null) =>
      reference === null
        ? `Add a card for ${property}`
        : `Add a card for your stay at ${property} (${reference})`,
    heading: 'Add a card',
    request: (property: string, stay: string) => `${property} needs a card${stay}.`,
    forStay: (arrival: string, departure: string, reference: string) =>
      ` for your stay from ${arrival} to ${departure} (${reference})`,
    action: 'Add your card',
    until: (time: string) => `You can add one card with this link, until ${time}.`,
    caution: (property: string) =>
      `${property} won't see your card number, and you won't be charged now.`,
    unexpected: 'If you did not expect this message, please ignore it.',
  },

  receipt: {
    subject: (property: string, reference: string) =>
      `Payment receipt from ${property} (${reference})`,
    heading: 'Payment receipt',
    opening: (property: string, amount: string) =>
      `${property} has received your payment of ${amount}. Thank you.`,
    payment: 'Booking payment',
    transactionFee: 'Transaction fee',
    cardFee: 'Card fee',
    total: 'Total charged',
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

  dailyWord: {
    subject: (count: number, property: string, day: string) =>
      `${count} ${count === 1 ? 'payment needs' : 'payments need'} your attention: ${property}, ${day}`,
    heading: 'Payments that need your attention',
    opening: (property: string) => `This went wrong at ${property}:`,
    charges: 'Failed charges',
    refunds: 'Failed refunds',
    disputes: 'Disputes',
    item: (reference: string, amount: string, what: string, time: string) =>
      `${time}: booking ${reference}, ${amount}, ${what}`,
    declined: (reason: string) => `declined (${reason})`,
    failed: (reason: string) => `not made (${reason})`,
    refundFailed: 'the refund failed: the guest has not got the money back',
    disputeOpened: (reason: string, respondBy: string | null) =>
      respondBy === null ? `disputed (${reason})` : `disputed (${reason}), answer by ${respondBy}`,
    disputeWon: 'the dispute was won',
    disputeLost: 'the dispute was lost',
    noReason: 'no reason given',
    more: (count: number) => `And ${count} more.`,
  },
} as const;

export type MailTexts = typeof mailTexts;
