const FEES = [
  { cardFeeBasisPoints: 105, cardFeeByBrand: { amex: 290 }, transactionFeeMinor: 33 },
  { cardFeeBasisPoints: 300, cardFeeByBrand: {}, transactionFeeMinor: 0 },
  { cardFeeBasisPoints: 250, cardFeeByBrand: { amex: 250 }, transactionFeeMinor: 50 },
] as const;

const RECOVERIES = [
  // biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is a text, no function.
  { askDaysBefore: 2, deadlineHours: 24, shortDeadlineHours: 4, maxAsks: 3, then: 'flag' },
  // biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is a text, no function.
  { askDaysBefore: 0, deadlineHours: 6, shortDeadlineHours: 6, maxAsks: 1, then: 'none' },
  null,
] as const;

/** What a property may lay down, every part apart. */
export const CHOICES = {
  fees: FEES,
  keepsSchedules: [false, true],
  guard: ['off', 'warn', 'refuse'],
  recovery: RECOVERIES,
  account: ['acct_one', 'acct_two'],
} as const;
