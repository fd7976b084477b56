const BLOCKED = 'Your bank says that this card can no longer be used.';
const WRONG_NUMBER = 'Your bank does not know this card number.';
const WRONG_SECURITY_CODE = 'The security code is incorrect.';

/**
 * Every word that a guest reads on a page, in English; mails take the reasons of declines from here. A translation has
 * the same members. Arguments are ready to be shown: amounts, days and times in the reader's form.
 */
export const en = {
  /** Of the page, as BCP 47 has it, and in the language itself. */
  language: 'en',
  ownName: 'English',
  /** How amounts, days and times are written. */
  locale: 'en-GB',

  /** Why a card was declined, by the acquirer's code. */
  declines: {
    insufficient_funds: 'Your bank says that there is not enough money in the account.',
    card_velocity_exceeded: 'The card has reached its limit.',
    expired_card: 'The card has expired.',
    lost_card: BLOCKED,
    stolen_card: BLOCKED,
    pickup_card: BLOCKED,
    invalid_number: WRONG_NUMBER,
    incorrect_number: WRONG_NUMBER,
    incorrect_cvc: WRONG_SECURITY_CODE,
    invalid_cvc: WRONG_SECURITY_CODE,
    authentication_required:
      "Your bank needs to verify that it's you. You can pay again and confirm it there.",
    currency_not_supported: 'The card cannot be charged in this currency.',
    other: 'Your bank declined the payment and gave no reason.',
  },

  /** What a charge is for. */
  purposes: { Deposit: 'Deposit', Balance: 'Payment', Bond: 'Bond', Manual: 'Payment' },

  card: {
    endingIn: (brand: string, last4: string) => `${brand} ending in ${last4}`,
    withExpiry: (card: string, expiry: string) => `${card}, expires ${expiry}`,
  },

  frame: {
    errorTitle: (title: string) => `Error: ${title}`,
    language: 'Language',
    wait: 'Please wait …',
    cardSafety: (property: string) =>
      `Your card number goes to the payment company. It is not stored here, and ${property} cannot see it.`,
    phone: 'Phone',
    email: 'E-mail',
    website: 'Website',
    terms: 'Terms',
    taxId: 'Tax ID',
  },

  /** Pages with a heading and one paragraph. */
  messages: {
    foreignForm: {
      heading: "This form can't be sent from here",
      text: 'Nothing was changed and you were not charged. Please open the link from your message again.',
    },
    unreadable: {
      heading: 'We could not read the form',
      text: 'Nothing was changed and you were not charged. Please try again.',
    },
    unknownLink: {
      heading: "This link doesn't work",
      text: 'Please open the complete link from your message again. If that does not help, ask the property for a new link.',
    },
    expiredLink: {
      heading: 'This link has expired',
      text: "Please ask the property for a new link. Payments you've made are safe.",
    },
    replacedLink: {
      heading: 'This link has been replaced',
      text: 'Please use the link in the most recent e-mail.',
    },
    sessionEnded: {
      heading: 'Your session has timed out',
      text: 'For your safety, this page closes after 30 minutes without use. Please open the link from your message again. Cookies must be switched on.',
    },
    unknownOutcome: {
      heading: 'We could not confirm what happened',
      text: 'Please open the link from your message again and check whether it worked before you try once more.',
    },
    busy: {
      heading: 'Please wait a moment',
      text: "We're busy right now. Please try again shortly.",
    },
    failed: {
      heading: 'Something went wrong',
      text: 'Please try again later or contact the property.',
    },
    errorReference: (text: string, id: string) => `${text} (Error reference: ${id})`,
  },

  booking: {
    back: 'Back to your booking',
    title: 'Your booking',
    cancelledHeading: 'Your booking is cancelled',
    cancelled: (property: string) =>
      `There is nothing to pay here. If you did not cancel this booking, please contact ${property}.`,
    stay: 'Stay',
    guest: 'Guest',
    reference: 'Booking',
    arrival: 'Arrival',
    departure: 'Departure',
    dates: (arrival: string, departure: string) => `${arrival} to ${departure}`,
    ahead: (days: number) =>
      days === 1 ? 'Your stay starts tomorrow.' : `Your stay starts in ${days} days.`,
    inHouse: (departure: string) => `You are staying with us until ${departure}.`,
    past: (departure: string) => `Your stay ended on ${departure}.`,
    dueInHouse: 'Please pay before you leave.',
    overdue: 'This payment is overdue.',
  },

  /** What adds up to what is due. */
  amounts: {
    heading: 'Amounts',
    stay: 'Your stay',
    fees: 'Card fees',
    charged: 'Charged to your cards',
    refunded: 'Refunded',
    disputed: 'Disputed with your bank',
    due: 'Due',
    overpaid: 'Paid too much',
    ofWhichConfirming: 'Of this, being confirmed by your bank',
    ofWhichDisputed: 'Of this, disputed with your bank',
    overpaidText: (amount: string, property: string) =>
      `You have paid ${amount} more than your stay costs. Please contact ${property} about a refund.`,
    dueAfterRefund: (refunded: string, property: string) =>
      `${refunded} was refunded to you, so this part of the price is open again. If the refund was meant to lower the price, please contact ${property} before you pay.`,
  },

  /** What will be charged without the guest. */
  scheduled: {
    heading: 'Will be charged automatically',
    line: (amount: string, time: string) => `${amount} on ${time}`,
    onCard: (line: string, card: string) => `${line}, ${card}`,
    withoutCard: (line: string) => `${line}, no card yet`,
    payNow:
      'You can also pay now. We then cancel the automatic charge that is no longer needed, so you pay once.',
    notNeeded: (property: string) =>
      `This is more than you owe. Please contact ${property} so that you are not charged twice.`,
  },

  pay: {
    heading: 'Pay',
    payInstead: 'Pay now instead',
    nothingScheduled: 'You have nothing to do: the rest is charged automatically.',
    nothingConfirming:
      'There is nothing to pay right now: your bank is still confirming a payment.',
    nothingDisputed:
      'There is nothing to pay here: a payment is disputed with your bank. If you have questions, please contact the property.',
    nothingDue: 'Everything is paid. Thank you.',
    intro: (amount: string) => `Pay ${amount} by card, in full or in part.`,
    amountLegend: 'Amount',
    full: (amount: string) => `Everything due: ${amount}`,
    unscheduled: (amount: string) => `What is not charged automatically: ${amount}`,
    deposit: (amount: string) => `Deposit: ${amount}`,
    all: (amount: string) => `All of it, also what is charged automatically: ${amount}`,
    other: 'Another amount',
    amountIn: (currency: string) => `Amount in ${currency}`,
    upTo: (amount: string) => `You can pay up to ${amount}.`,
    cardLegend: 'Card',
    newCard: 'A new card',
    addCard: 'Add a card',
    bookingPayment: 'Booking payment',
    cardFee: 'Card fee',
    total: 'Total to pay',
    feeByCard: 'The fee depends on the card. You see the total before you pay.',
    seeTotal: "You'll see the total, with any card fee, before you pay.",
    button: (total: string) => `Pay ${total}`,
    continue: 'Continue',
    reviewTitle: 'Check and pay',
    change: 'Change the amount or the card',
    replaces: 'You pay this now instead of what would be charged automatically. We then cancel:',
    staysScheduled: (amount: string) => `${amount} will still be charged automatically.`,
  },

  /** Why a payment is not possible. */
  payIssues: {
    amountFormat: (example: string) => `Enter an amount such as ${example}.`,
    amountTooMuch: (amount: string) => `You can pay up to ${amount}.`,
    amountPrecision: 'Enter a rounder amount: your bank does not take one this exact.',
    chooseCard: 'Choose a card.',
    cancelled: 'Your booking is cancelled.',
    changed: 'Your booking or its price has changed. Please check the amounts before you pay.',
    cardGone: 'This card is no longer available. Please choose another card.',
    cardExpired: 'This card has expired. Please add another card.',
    tooManyDeclines:
      'Too many cards were declined. Please wait ten minutes or contact the property.',
    gateway: 'The payment company could not make the payment. You were not charged.',
    busy: "We're busy right now. You were not charged. Please try again.",
  },

  /** What the guest's last action did. */
  results: {
    paid: (amount: string) => `Payment successful: ${amount}.`,
    seeReceipt: 'See the receipt',
    cardAdded: 'Card added. Check the amount below and continue.',
    cardAddedOnly: 'Card added.',
    chargedNow: (amount: string) => `${amount}, which was declined before, was charged to it.`,
    confirming: (amount: string) => `Your bank is still confirming the payment of ${amount}.`,
    movedToIt: 'These automatic charges will use it:',
    failedOnIt: (amount: string) => `The payment of ${amount} could not be made with this card.`,
    declinedHeading: 'The card was declined',
    notCharged: 'You were not charged.',
    tryAnother: 'Try another card or call your bank.',
    cancelled: 'The payment was cancelled. You were not charged.',
    failed: 'Payment failed - you were not charged. You can pay again.',
    cardUnclear:
      'Your card may not be saved yet. Reload this page in a minute. If it is not listed below, please add it again.',
    cardRemoved: 'Card removed.',
  },

  underWay: {
    atBank: (amount: string) =>
      `Your payment of ${amount} is not finished: your bank needs to verify it's you.`,
    continueAtBank: 'Continue or cancel this payment',
    confirming: (amount: string) =>
      `Your payment of ${amount} is not confirmed yet. Please do not pay again.`,
    look: 'See where this payment stands',
  },

  cards: {
    heading: 'Cards on file',
    none: 'There are no cards yet.',
    givenWithBooking: (property: string) =>
      `Given with the booking: only ${property} can charge it.`,
    expired: 'Expired.',
    add: 'Add a card',
    addAnother: 'Add another card',
    remove: 'Remove',
    removeLabel: (card: string) => `Remove ${card}`,
    removeTitle: 'Remove this card?',
    removeText: (card: string, property: string) =>
      `${property} can no longer charge ${card}. Payments already made with it stay as they are.`,
    removeButton: 'Remove the card',
    keep: 'Keep the card',
    inUse:
      'This card cannot be removed yet: an automatic charge, a hold or a payment uses it. Add another card first, or contact the property.',
    gone: 'This card is not on your booking any more.',
  },

  /** The list of payments. */
  payments: {
    heading: 'Payments',
    paid: (purpose: string) => purpose,
    scheduled: (purpose: string) => `${purpose}, scheduled`,
    willBeCharged: (time: string) => `will be charged automatically on ${time}`,
    held: 'Hold on your card (not charged)',
    failed: (purpose: string) => `${purpose} failed - you were not charged`,
    declined: (purpose: string) => `${purpose} declined - you were not charged`,
    waitingForYou: (purpose: string) => `${purpose}, waiting for you to confirm it with your bank`,
    holdBeingPlaced: 'Hold being placed (not charged)',
    holdBeingReleased: 'Hold being released',
    confirming: (purpose: string) => `${purpose}, being confirmed by your bank`,
    withFee: (fee: string) => `with a card fee of ${fee}`,
    receipt: 'Receipt',
    receiptOf: (amount: string, time: string) => `Receipt for ${amount}, ${time}`,
    refunded: 'Refund',
    refundConfirming: 'Refund, being confirmed by your bank',
    refundFailed: 'Refund failed: the property will contact you',
  },

  cardForm: {
    title: 'Add a card',
    number: 'Card number',
    expiry: 'Expiry date',
    expiryHint: 'Month and year, for example 04/29',
    code: 'Security code',
    codeHint: '3 digits on the back of the card, or 4 on the front',
    holder: 'Name on the card',
    submit: 'Add the card',
    notCharged: "Your card won't be charged yet.",
    summary: 'Please check these fields',
    inField: (field: string, issue: string) => `${field}: ${issue}`,
    typeAgain: 'For your safety, please enter the card number and the security code again.',
    tooMany: 'You have tried as many cards as we take within an hour. Please come back later.',
    unknown:
      'We could not confirm whether the card was added. You were not charged. Please open the link from your message again to check before you try once more.',
    failed:
      'The card could not be added. Your bank did not decline it: something went wrong on our side. You were not charged. Please try again or use another card.',
    declined: (reason: string) =>
      `Your bank declined this card. ${reason} You were not charged. Please check the card or use another one.`,
    needsBank:
      'Your bank declined this card. It needs to verify you, which this page cannot ask for. You were not charged. Please use another card, or contact the property.',
    issues: {
      cardNumber: 'Check the card number.',
      cardExpiry: 'Enter the date as MM/YY.',
      expired: 'This card has expired. Please use another card.',
      cvv: 'Enter the 3- or 4-digit code.',
      cvvOf: (digits: number) => `Enter the ${digits}-digit code of this card.`,
      cardHolderName: 'Enter the name on the card.',
    },
  },

  /** What a saved card is for. The guest agrees to it by saving the card. */
  agreement: {
    payment: (property: string) =>
      `${property} keeps this card for your booking. You agree that it may charge to it what you pay here and the automatic charges shown on this page.`,
    saved: (property: string) =>
      `By adding this card you agree that ${property} may charge to it what you owe for your stay: the automatic charges shown here, and what you have agreed with the property.`,
    terms: (property: string) => `Terms of ${property}`,
  },

  /** Around the payment company's own form. */
  element: {
    needsScript:
      'The payment company takes your card in its own form, which needs JavaScript. Please turn on JavaScript for this page, or contact the property.',
    notLoaded: 'The form could not be loaded. Please check your connection and reload this page.',
    loadError: 'The form could not be loaded. Please try again later.',
    noAnswer: 'The payment company did not answer. Please try again.',
    checkCard: 'Please check the card details.',
  },

  bank: {
    heading: "Confirm it's you",
    toPay:
      "Your bank needs to verify it's you. You are not charged until you confirm the payment there.",
    toAdd: "Your bank needs to verify it's you. You are not charged in this step.",
    amount: 'Amount',
    card: 'Card',
    continue: 'Continue to your bank',
    comesBack: 'Your bank will bring you back here afterwards.',
    within: (minutes: number) =>
      `Please confirm within ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. After that, the payment is cancelled.`,
    cancel: 'Cancel this payment',
  },

  receipt: {
    title: 'Receipt',
    heading: 'Payment successful',
    mailed: 'We also send this receipt to you by e-mail.',
    confirmingHeading: 'Your payment is being confirmed',
    confirming:
      'Your bank has not confirmed this payment yet. Please do not pay again: you will not be charged twice. This page looks again by itself.',
    checkAgain: 'Check again',
    total: 'Total charged',
    totalAsked: 'Total to pay',
    refunded: 'Refunded since',
    card: 'Card',
    time: 'Time',
    number: 'Payment number',
    stillDue: 'Still due',
    print: 'Print this receipt',
    from: 'Received by',
  },

  unsure: {
    heading: "We're checking your payment",
    text: 'Please do not start a new payment. Press “Check again”: if this payment was not made, it is made then. You will not be charged twice.',
    button: 'Check again',
  },

  /** Guests who are asked for another card. */
  recovery: {
    heading: 'Your card needs your attention',
    expiring: (amount: string, on: string, card: string) =>
      `${amount} is to be charged${on}. Your ${card} will have expired by then.`,
    declined: (amount: string, on: string, card: string) =>
      `The payment of ${amount}${on} was declined for your ${card}.`,
    authentication: (amount: string, on: string, card: string) =>
      `The bank of your ${card} wants you to confirm the payment of ${amount}${on} yourself.`,
    on: (time: string) => ` on ${time}`,
    cardName: (brand: string, last4: string) => `${brand} card ending in ${last4}`,
    replace: 'Replace the card',
    orPay: 'or pay below.',
    orPayBy: (time: string) => `or pay below, by ${time}.`,
    chargedAtOnce: 'When you add this card, it is charged at once, plus any card fee:',
    declinedBefore: (amount: string) => `${amount}, which was declined before`,
    moved: 'These automatic charges will use the new card:',
  },

  /** The page of a request for a card. */
  cardRequest: {
    forStay: (property: string, arrival: string, departure: string, reference: string) =>
      `${property} needs a card for your stay from ${arrival} to ${departure}, booking ${reference}.`,
    withoutStay: (property: string) => `${property} needs a card from you.`,
    caution: (property: string) =>
      `${property} won't see your card number, and you won't be charged now.`,
    thanksHeading: 'Thank you',
    thanks: (property: string) => `Your card is saved for ${property}. You can close this page.`,
    cancelledHeading: 'No card is needed',
    cancelled: (property: string) =>
      `Your booking is cancelled, so ${property} needs no card. If you did not cancel it, please contact the property.`,
  },
};
