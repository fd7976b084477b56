// Written by npm run locales.
declare const messages: {
  "language": "en",
  "ownName": "English",
  "locale": "en-GB",
  "declines": {
    "insufficient_funds": "Your bank says that there is not enough money in the account.",
    "card_velocity_exceeded": "The card has reached its limit.",
    "expired_card": "The card has expired.",
    "lost_card": "Your bank says that this card can no longer be used.",
    "stolen_card": "Your bank says that this card can no longer be used.",
    "pickup_card": "Your bank says that this card can no longer be used.",
    "invalid_number": "Your bank does not know this card number.",
    "incorrect_number": "Your bank does not know this card number.",
    "incorrect_cvc": "The security code is incorrect.",
    "invalid_cvc": "The security code is incorrect.",
    "authentication_required": "Your bank needs to verify that it's you. You can pay again and confirm it there.",
    "currency_not_supported": "The card cannot be charged in this currency.",
    "other": "Your bank declined the payment and gave no reason."
  },
  "purposes": {
    "Deposit": "Deposit",
    "Balance": "Payment",
    "Bond": "Bond",
    "Manual": "Payment"
  },
  "card": {
    "endingIn": "{brand} ending in {last4}",
    "withExpiry": "{card}, expires {expiry}"
  },
  "frame": {
    "errorTitle": "Error: {title}",
    "language": "Language",
    "wait": "Please wait …",
    "cardSafety": "Your card number goes to the payment company. It is not stored here, and {property} cannot see it.",
    "phone": "Phone",
    "email": "E-mail",
    "website": "Website",
    "terms": "Terms",
    "taxId": "Tax ID"
  },
  "messages": {
    "foreignForm": {
      "heading": "This form can't be sent from here",
      "text": "Nothing was changed and you were not charged. Please open the link from your message again."
    },
    "unreadable": {
      "heading": "We could not read the form",
      "text": "Nothing was changed and you were not charged. Please try again."
    },
    "unknownLink": {
      "heading": "This link doesn't work",
      "text": "Please open the complete link from your message again. If that does not help, ask the property for a new link."
    },
    "expiredLink": {
      "heading": "This link has expired",
      "text": "Please ask the property for a new link. Payments you've made are safe."
    },
    "newLink": {
      "heading": "A new link",
      "text": "If this booking has an e-mail address, a new link is on its way to it. It can take a few minutes."
    },
    "replacedLink": {
      "heading": "This link has been replaced",
      "text": "Please use the link in the most recent e-mail."
    },
    "sessionEnded": {
      "heading": "Your session has timed out",
      "text": "For your safety, this page closes after 30 minutes without use. Please open the link from your message again. Cookies must be switched on."
    },
    "unknownOutcome": {
      "heading": "We could not confirm what happened",
      "text": "Please open the link from your message again and check whether it worked before you try once more."
    },
    "busy": {
      "heading": "Please wait a moment",
      "text": "We're busy right now. Please try again shortly."
    },
    "failed": {
      "heading": "Something went wrong",
      "text": "Please try again later or contact the property."
    },
    "errorReference": "{text} (Error reference: {id})",
    "sendNewLink": "Send me a new link"
  },
  "booking": {
    "back": "Back to your booking",
    "title": "Your booking",
    "cancelledHeading": "Your booking is cancelled",
    "cancelled": "There is nothing to pay here.",
    "notYou": "If you did not cancel this booking, please contact {property}.",
    "stay": "Stay",
    "guest": "Guest",
    "guestName": "{name}",
    "reference": "Booking",
    "dates": "{arrival} to {departure}",
    "ahead": "{days, plural, =1 {Your stay starts tomorrow.} other {Your stay starts in # days.}}",
    "inHouse": "You are staying with us until {departure}.",
    "past": "Your stay ended on {departure}.",
    "dueInHouse": "Please pay before you leave.",
    "overdue": "This payment is overdue."
  },
  "cancellation": {
    "heading": "Cancellation",
    "link": "Cancel this booking",
    "title": "Cancel this booking?",
    "free": "Cancelling is free of charge.",
    "kept": "{property} keeps {amount} for the cancellation.",
    "paid": "You have paid {amount} for your stay so far.",
    "captured": "{amount} of what is held on your card is charged.",
    "charged": "{amount} is charged to {card}.",
    "fee": "This includes a card fee of {amount}.",
    "owed": "{amount} is still to be paid: {property} will contact you.",
    "refunded": "{amount} is refunded to you.",
    "feeKept": "The card fee of {amount} is not refunded.",
    "unrefundable": "{amount} cannot be refunded to your card: {property} will contact you.",
    "released": "{amount} is no longer held on your card.",
    "planned": "Planned charges are cancelled.",
    "final": "This cannot be undone.",
    "button": "Cancel the booking",
    "keep": "Keep the booking",
    "changed": "Something has changed since the page showed this. Please look at it again.",
    "notNow": "The booking cannot be cancelled right now. Please try again later."
  },
  "amounts": {
    "heading": "Your balance",
    "stay": "Your stay",
    "kept": "Kept for the cancellation",
    "waived": "Price reduction",
    "fees": "Card fees",
    "charged": "Paid so far",
    "refunded": "Refunded",
    "disputed": "Disputed with your bank",
    "due": "Due",
    "overpaid": "Overpaid",
    "ofWhichConfirming": "Of this, being confirmed by your bank",
    "overpaidText": "You have paid {amount} more than your stay costs. Please contact {property} about a refund.",
    "dueAfterRefund": "{refunded} was refunded to you, so this part of the price is due again. If the refund was meant to lower the price, please contact {property} before you pay."
  },
  "scheduled": {
    "heading": "Will be charged automatically",
    "line": "{amount} on {time}",
    "onCard": "{line}, {card}",
    "withoutCard": "{line}, no card yet",
    "payNow": "You can pay now instead; the automatic charge is then cancelled.",
    "notNeeded": "This is more than you owe. Please contact {property} so that you are not charged twice."
  },
  "plan": {
    "heading": "Pay in parts",
    "offer": "You can have your stay charged in parts, automatically. See what would be charged, and when:",
    "total": "In all: {amount}",
    "onCard": "Each amount is charged automatically to {card}, or to the card that your booking uses by then.",
    "fees": "A card fee may be added to each amount.",
    "agree": "By choosing this plan you agree that {property} may charge these amounts. If your stay changes, or you pay something yourself, the amounts and days follow.",
    "button": "Agree and choose this plan",
    "needsCard": "Add a card first: the plan is charged to it.",
    "chosen": "Your payment plan is set up."
  },
  "pay": {
    "heading": "Pay",
    "payInstead": "Pay now instead",
    "nothingConfirming": "There is nothing to pay right now: your bank is still confirming a payment.",
    "nothingDisputed": "There is nothing to pay here: a payment is disputed with your bank. If you have questions, please contact the property.",
    "nothingDue": "Everything is paid. Thank you.",
    "nothingKnown": "{property} will tell you the price.",
    "amountLegend": "Amount",
    "asked": "The amount asked for: {amount}",
    "full": "Full amount: {amount}",
    "unscheduled": "What is not charged automatically: {amount}",
    "deposit": "Deposit: {amount}",
    "all": "All of it, also what is charged automatically: {amount}",
    "other": "Another amount",
    "amountIn": "Amount in {currency}",
    "upTo": "You can pay up to {amount}.",
    "cardLegend": "Card",
    "newCard": "A new card",
    "bookingPayment": "Booking payment",
    "cardFee": "Card fee",
    "total": "Total to pay",
    "feeByCard": "The fee depends on the card. You see the total before you pay.",
    "button": "Pay {total}",
    "continue": "Continue",
    "reviewTitle": "Check and pay",
    "change": "Change the amount or the card",
    "replaces": "You pay this now instead of what would be charged automatically. We then cancel:",
    "lowers": "Instead of {line}, only {amount} is then charged automatically.",
    "staysScheduled": "{amount} will still be charged automatically."
  },
  "payIssues": {
    "amountFormat": "Enter an amount such as {example}.",
    "amountUnclear": "Which amount do you mean? Enter {small} or {great}.",
    "amountTooMuch": "You can pay up to {amount}.",
    "amountPrecision": "Enter a rounder amount: your bank does not take one this exact.",
    "chooseCard": "Choose a card.",
    "cancelled": "Your booking is cancelled.",
    "changed": "Your booking or its price has changed. Please check the amounts before you pay.",
    "cardGone": "This card is no longer available. Please choose another card.",
    "cardExpired": "This card has expired. Please add another card.",
    "tooManyDeclines": "Too many cards were declined. Please wait ten minutes or contact the property.",
    "gateway": "The payment company could not make the payment. You were not charged.",
    "busy": "We're busy right now. You were not charged. Please try again."
  },
  "results": {
    "paid": "Payment successful: {amount}.",
    "seeReceipt": "See the receipt",
    "cardAdded": "Card added. Check the amount below and continue.",
    "cardAddedOnly": "Card added.",
    "chargedNow": "{amount}, which was declined before, was charged to it.",
    "confirming": "Your bank is still confirming the payment of {amount}.",
    "movedToIt": "These automatic charges will use it:",
    "failedOnIt": "The payment of {amount} could not be made with this card.",
    "declinedHeading": "The card was declined",
    "notCharged": "You were not charged.",
    "tryAnother": "Try another card or call your bank.",
    "cancelled": "The payment was cancelled. You were not charged.",
    "failed": "Payment failed – you were not charged. You can pay again.",
    "cardUnclear": "Your card may not be saved yet. Reload this page in a minute. If it is not listed below, please add it again.",
    "cardRemoved": "Card removed."
  },
  "underWay": {
    "atBank": "Your payment of {amount} is not finished: your bank needs to verify it's you.",
    "continueAtBank": "Continue or cancel this payment",
    "confirming": "Your payment of {amount} is not confirmed yet. Please do not pay again.",
    "look": "See where this payment stands"
  },
  "cards": {
    "heading": "Cards on file",
    "givenWithBooking": "Provided with your booking. Only {property} can use it.",
    "expired": "Expired.",
    "refused": "Was declined. It is charged only if you choose it.",
    "ofFormerAccount": "Cannot be charged any more: please add it again.",
    "scheduledOn": "Automatic charges use this card.",
    "add": "Add a card",
    "addAnother": "Add another card",
    "remove": "Remove",
    "removeLabel": "Remove {card}",
    "removeTitle": "Remove this card?",
    "removeText": "{property} can no longer charge {card}. Payments already made with it stay as they are.",
    "removeButton": "Remove the card",
    "keep": "Keep the card",
    "inUse": "This card cannot be removed yet: an automatic charge, a hold or a payment uses it. Add another card first, or contact the property.",
    "gone": "This card is not on your booking any more."
  },
  "payments": {
    "heading": "Payments",
    "all": "Show all {count, number}",
    "paid": "{purpose}",
    "scheduled": "{purpose}, scheduled",
    "willBeCharged": "will be charged automatically on {time}",
    "held": "Hold on your card (not charged)",
    "heldUntil": "until {time}",
    "failed": "{purpose} failed – you were not charged",
    "declined": "{purpose} declined – you were not charged",
    "notConfirmed": "{purpose} not confirmed – you were not charged",
    "waitingForYou": "{purpose}, waiting for you to confirm it with your bank",
    "holdBeingPlaced": "Hold being placed (not charged)",
    "holdBeingReleased": "Hold being released",
    "confirming": "{purpose}, being confirmed by your bank",
    "withFee": "with a card fee of {fee}",
    "receipt": "Receipt",
    "receiptOf": "Receipt for {amount}, {time}",
    "refunded": "Refund",
    "refundTakes": "can take up to 10 days to reach your card",
    "refundConfirming": "Refund, being confirmed by your bank",
    "refundFailed": "Refund failed: the property will contact you"
  },
  "cardForm": {
    "title": "Add a card",
    "number": "Card number",
    "expiry": "Expiry date",
    "expiryHint": "Month and year, for example 04/29",
    "code": "Security code",
    "codeHint": "3 digits on the back of the card, or 4 on the front",
    "holder": "Name on the card",
    "submit": "Add the card",
    "submitAndPay": "Add card and pay {amount}",
    "notCharged": "Your card won't be charged yet.",
    "summary": "Please check these fields",
    "inField": "{field}: {issue}",
    "typeAgain": "For your safety, please enter the card number and the security code again.",
    "tooMany": "You have tried as many cards as we take within an hour. Please come back later.",
    "unknown": "We could not confirm whether the card was added. You were not charged. Please open the link from your message again to check before you try once more.",
    "failed": "The card could not be added. Your bank did not decline it: something went wrong on our side. You were not charged. Please try again or use another card.",
    "declined": "Your bank declined this card. {reason} You were not charged. Please check the card or use another one.",
    "needsBank": "Your bank declined this card. It needs to verify you, which this page cannot ask for. You were not charged. Please use another card, or contact the property.",
    "issues": {
      "cardNumber": "Check the card number.",
      "cardExpiry": "Enter the date as MM/YY.",
      "expired": "This card has expired. Please use another card.",
      "cvv": "Enter the 3- or 4-digit code.",
      "cvvOf": "Enter the {digits, number}-digit code of this card.",
      "cardHolderName": "Enter the name on the card."
    }
  },
  "agreement": {
    "payment": "{property} keeps this card for your booking. You agree that it may charge to it what you pay here.",
    "saved": "By adding this card you agree that {property} may charge to it what you owe for your stay, as you have agreed with the property.",
    "charges": "This includes the automatic charges shown on this page.",
    "terms": "Terms of {property}"
  },
  "element": {
    "needsScript": "The payment company takes your card in its own form, which needs JavaScript. Please turn on JavaScript for this page, or contact the property.",
    "notLoaded": "The form could not be loaded. Please check your connection and reload this page.",
    "loadError": "The form could not be loaded. Please try again later.",
    "noAnswer": "The payment company did not answer. Please try again.",
    "checkCard": "Please check the card details."
  },
  "bank": {
    "heading": "Confirm it's you",
    "toPay": "Your bank needs to verify it's you. You are not charged until you confirm the payment there.",
    "toAdd": "Your bank needs to verify it's you. You are not charged in this step.",
    "amount": "Amount",
    "card": "Card",
    "continue": "Continue to your bank",
    "comesBack": "Your bank will bring you back here afterwards.",
    "within": "{minutes, plural, =1 {Please confirm within a minute. After that, the payment is cancelled.} other {Please confirm within # minutes. After that, the payment is cancelled.}}",
    "cancel": "Cancel this payment"
  },
  "receipt": {
    "title": "Receipt",
    "heading": "Payment successful",
    "mailed": "We also send this receipt to you by e-mail.",
    "confirmingHeading": "Your payment is being confirmed",
    "confirming": "Your bank has not confirmed this payment yet. Please do not pay again: you will not be charged twice. This page updates automatically.",
    "checkAgain": "Check again",
    "total": "Total charged",
    "totalAsked": "Total to pay",
    "refunded": "Refunded since",
    "card": "Card",
    "time": "Paid on",
    "number": "Payment number",
    "stillDue": "Still due",
    "print": "Print this receipt",
    "from": "Paid to"
  },
  "unsure": {
    "heading": "We're checking your payment",
    "text": "Please do not start a new payment. Press “Check again”: if this payment was not made, it is made then. You will not be charged twice.",
    "button": "Check again"
  },
  "recovery": {
    "heading": "Your card needs your attention",
    "expiring": "{amount} is to be charged{on}. Your {card} will have expired by then.",
    "former": "{amount} is to be charged{on}. The property has changed its payment account, so your {card} has to be entered again, or another card.",
    "declined": "The payment of {amount}{on} was declined for your {card}.",
    "authentication": "The bank of your {card} wants you to confirm the payment of {amount}{on} yourself.",
    "on": " on {time}",
    "cardName": "{brand} card ending in {last4}",
    "replace": "Replace the card",
    "orPay": "or pay below.",
    "orPayBy": "or pay below, by {time}.",
    "chargedAtOnce": "When you add this card, it is charged at once:",
    "declinedBefore": "{amount}, which was declined before",
    "feeComes": "A card fee may be added, depending on the card.",
    "moved": "These automatic charges will use the new card:"
  },
  "cardRequest": {
    "forStay": "{property} needs a card for your stay from {arrival} to {departure}, booking {reference}.",
    "withoutStay": "{property} needs a card from you.",
    "caution": "{property} won't see your card number, and you won't be charged now.",
    "thanksHeading": "Thank you",
    "thanks": "Your card is saved for {property}. You can close this page.",
    "cancelledHeading": "No card is needed",
    "cancelled": "Your booking is cancelled, so {property} needs no card. If you did not cancel it, please contact the property."
  },
  "mails": {
    "facts": {
      "refund": "Refund number",
      "for": "For",
      "time": "Time",
      "seeBooking": "See your booking"
    },
    "cardRequest": {
      "subject": "Add a card for your stay at {property} ({reference})",
      "subjectWithoutStay": "Add a card for {property}",
      "heading": "Add a card",
      "action": "Add your card",
      "until": "You can add one card with this link, until {time}.",
      "unexpected": "If you did not expect this message, please ignore it."
    },
    "paymentLink": {
      "subject": "Your payment page for {property} ({reference})",
      "heading": "Your payment page",
      "opening": "{property} sends you the link to your payment page. There you see what is due, and pay it securely."
    },
    "recovery": {
      "declined": {
        "subject": "Action needed: your card was declined at {property} ({reference})",
        "heading": "A payment needs your attention"
      },
      "expiring": {
        "subject": "Your card for your stay at {property} ({reference})",
        "heading": "Your card expires soon"
      },
      "stay": "This is about your stay at {property} from {arrival} to {departure} ({reference}).",
      "answerBy": "Please replace the card or pay now, by {time}.",
      "chargedAtOnce": "If you add another card, the payment that was declined is charged to it at once.",
      "action": "Replace the card or pay",
      "closing": "{property} won't see your card number. If you have already done this, please ignore this message."
    },
    "receipt": {
      "subject": "Payment receipt from {property} ({reference})",
      "heading": "Payment receipt",
      "opening": "{property} has received your payment of {amount}. Thank you.",
      "transactionFee": "Transaction fee"
    },
    "refund": {
      "subject": "Refund from {property} ({reference})",
      "heading": "Refund",
      "opening": "{property} has refunded {amount} to you.",
      "timing": "It can take your bank some days to show it on your statement.",
      "total": "Total refunded"
    },
    "failedPayment": {
      "subject": "Your payment to {property} did not go through ({reference})",
      "heading": "Your payment didn't go through",
      "opening": "{property} tried to charge {amount} to your card. You were not charged.",
      "noCard": "There is no card for this payment.",
      "notMade": "The payment could not be made for a technical reason.",
      "payOnline": "You can pay with this or another card on our secure page.",
      "action": "Pay now",
      "contact": "Please contact {property} to pay in another way."
    },
    "summary": {
      "subject": "Your payments at {property}",
      "heading": "Your payments",
      "opening": "There is more news about your payments at {property}. Here it is in one message."
    }
  }
};
export default messages;
