/** Every word of the mails to properties, which are in English. Arguments are ready to be shown. */
export const mailTexts = {
  dailyDigest: {
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
