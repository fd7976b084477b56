// Written by npm run locales.
declare const messages: {
  "language": "en",
  "locale": "en-GB",
  "ownName": "English",
  "declines": {
    "insufficient_funds": "not enough money on the card",
    "generic_decline": "no reason given",
    "do_not_honor": "no reason given",
    "expired_card": "the card has expired",
    "lost_card": "the card was reported lost",
    "stolen_card": "the card was reported stolen",
    "pickup_card": "the card is blocked",
    "invalid_number": "the card number is not known",
    "incorrect_number": "the card number is not known",
    "incorrect_cvc": "the security code is wrong",
    "invalid_cvc": "the security code is wrong",
    "authentication_required": "the guest has to confirm the payment",
    "card_velocity_exceeded": "the card has reached its limit",
    "currency_not_supported": "the card cannot pay in this currency",
    "resolved_by_hand": "resolved manually"
  },
  "kinds": {
    "charge": "Payment",
    "schedule": "Scheduled charge",
    "authorization": "Hold",
    "refund": "Refund"
  },
  "purposes": {
    "Balance": "balance",
    "Deposit": "deposit",
    "Bond": "bond",
    "Manual": "other"
  },
  "states": {
    "declined": "Declined: {reason}",
    "scheduled": "Scheduled",
    "scheduledAgain": "Scheduled again after a decline: {reason}",
    "failed": "Technical failure: nothing was charged",
    "partlyRefunded": "Partly refunded: {amount}",
    "answerBy": "Disputed – answer by {time}",
    "overdue": "Disputed – answer overdue since {time}",
    "answered": "Disputed – under review by the bank",
    "noDeadline": "Disputed – needs an answer",
    "inquiry": "{what} (inquiry: nothing was withdrawn)",
    "held": "On hold until {time}",
    "waiting": "Waiting for the guest to confirm (until {time})"
  },
  "moneyStates": {
    "paid": "Paid",
    "partlyPaid": "Partly paid",
    "due": "To pay",
    "overpaid": "Overpaid",
    "partlyRefunded": "Partly refunded",
    "refunded": "Refunded",
    "disputed": "Disputed",
    "lost": "Dispute lost",
    "scheduled": "Scheduled",
    "failed": "Failed",
    "declined": "Declined",
    "onHold": "On hold",
    "unknown": "No answer yet",
    "waiting": "Waiting for the guest",
    "cancelled": "Cancelled",
    "released": "Released",
    "expired": "Expired"
  },
  "refundStates": {
    "Processing": "No answer yet",
    "Refunded": "Refunded: on its way to the card, which can take up to ten days",
    "Failed": "Failed: the money did not go back"
  },
  "disputeStates": {
    "needs_response": "Needs an answer",
    "under_review": "Under review by the bank",
    "won": "Won",
    "lost": "Lost"
  },
  "disputeStages": {
    "inquiry": "Inquiry: nothing was withdrawn",
    "chargeback": "Chargeback"
  },
  "payoutStates": {
    "not_paid_out": "Collecting",
    "in_transit": "On its way",
    "paid_out": "Paid out",
    "failed": "Failed"
  },
  "payoutItems": {
    "sale": "Payment",
    "refund": "Refund",
    "dispute": "Dispute",
    "refund_failure": "Refund that failed",
    "adjustment": "Adjustment"
  },
  "differenceKinds": {
    "missing_here": "The acquirer has it, we do not",
    "missing_there": "We have it, the acquirer does not",
    "amount_differs": "The amounts differ",
    "state_differs": "The states differ",
    "unknown_payment": "A payment at the acquirer that is not in our records",
    "not_at_bank": "A payout that did not reach the bank"
  },
  "warnings": {
    "exceeds_due": "This is more than what is due.",
    "scheduled_exceeds_due": "More stays scheduled than is due then: cancel what is scheduled, or the guest pays twice.",
    "surcharge_not_allowed": "The law does not allow a fee on this card.",
    "card_expires_before_scheduled_time": "The card will have expired at that time.",
    "no_card": "The booking has no card.",
    "card_expired": "The booking’s card has expired.",
    "card_of_former_account": "The booking’s card is kept at a former account.",
    "charge_not_possible": "The booking’s card cannot be charged this amount.",
    "not_refundable": "Some of it cannot be given back by card: it is disputed, or the gateway does not know it.",
    "policy_not_disclosed": "The property has this policy only since the booking was made."
  },
  "columns": {
    "time": "Time",
    "booking": "Booking",
    "guest": "Guest",
    "property": "Property",
    "what": "What",
    "amount": "Amount",
    "currency": "Currency",
    "card": "Card",
    "id": "Id",
    "ofPayment": "Of payment",
    "status": "Status",
    "description": "Description",
    "gross": "Gross",
    "fees": "Fees",
    "net": "Net",
    "items": "Items",
    "feesInIt": "of which fees",
    "actions": "Actions",
    "by": "By",
    "detail": "Detail"
  },
  "list": {
    "in": "{name} in {timeZone}",
    "intro": "{intro} Times are those of {timeZone}.",
    "introOfAll": "{intro} Times are those of each property.",
    "back": "Back to the first ones",
    "more": "Next 20",
    "bookingsCard": "The booking’s card",
    "allColumns": "All columns",
    "what": "{kind} ({purpose})",
    "withSum": "{caption}; charges listed here: {sum}"
  },
  "failed": {
    "title": "Needs attention",
    "intro": "Payments and refunds of the last {days} days that failed or have no answer, cancellations that are not settled, and cards that will fail.",
    "payments": {
      "heading": "Failed payments",
      "caption": "Payments that were declined or failed, the latest first",
      "empty": "No payment failed.",
      "why": "Why",
      "advice": "What to do",
      "tries": "{why}; tried {number} times"
    },
    "refunds": {
      "heading": "Failed refunds",
      "caption": "Refunds that failed, the latest first",
      "empty": "No refund failed.",
      "again": "The guest did not get the money. Refund again, or pay it back another way."
    },
    "settlements": {
      "heading": "Cancellations that are not settled",
      "caption": "What their bookings are to keep is not what is paid, the latest first",
      "empty": "Every cancellation is settled.",
      "kept": "To keep",
      "paid": "Paid",
      "collect": "{amount} could not be taken: send a payment link, charge another card, or let it be.",
      "giveBack": "{amount} did not go back: refund it, or pay it back another way."
    },
    "unanswered": {
      "heading": "Payments without an answer",
      "caption": "Payments that the payment company has not confirmed, the latest first: do not charge again",
      "empty": "Every payment has an answer."
    },
    "unansweredRefunds": {
      "heading": "Refunds without an answer",
      "caption": "Refunds that the payment company has not confirmed, the latest first: do not refund again",
      "empty": "Every refund has an answer."
    },
    "cards": {
      "heading": "Cards that fail",
      "caption": "Charges whose card fails and that nobody has answered for, the earliest first",
      "empty": "No card of a charge fails.",
      "charge": "Charge",
      "until": "The guest was asked for another card: wait until {time}."
    },
    "advice": {
      "answered": "Nothing: the guest gave another card.",
      "paid": "Nothing: the guest paid it.",
      "unanswered": "The guest was asked and did not answer: call them.",
      "asked": "The guest was asked for another card: wait for it.",
      "paidSince": "Nothing: it was paid since.",
      "nothingDue": "Nothing: nothing is due any more.",
      "arranged": "Nothing now: what is due is scheduled, under way or disputed.",
      "less": "Charge {amount} at most: the rest was paid or is scheduled.",
      "again": "Charge it again.",
      "other": "Send a payment link, or ask for another card."
    },
    "adviceByDecline": {
      "insufficient_funds": "Charge it again later, or send a payment link.",
      "expired_card": "Ask the guest for another card.",
      "lost_card": "Ask the guest for another card.",
      "stolen_card": "Ask the guest for another card.",
      "pickup_card": "Ask the guest for another card.",
      "invalid_number": "Ask the guest for another card.",
      "incorrect_number": "Ask the guest for another card.",
      "authentication_required": "Send a payment link: the guest has to confirm it with their bank."
    }
  },
  "coming": {
    "title": "Upcoming",
    "intro": "What will be charged in the next {days} days, and which holds end.",
    "heading": "Charges and holds",
    "caption": "The next first",
    "empty": "Nothing is scheduled or held.",
    "planned": {
      "heading": "Payment plans",
      "caption": "The next part of each",
      "empty": "No plan charges anything by then."
    },
    "due": "Due",
    "note": "Note",
    "holdEnds": "Hold ends: capture it before",
    "purposes": {
      "Balance": "Balance",
      "Deposit": "Deposit",
      "Bond": "Bond",
      "Manual": "Other"
    },
    "declinedBefore": "Declined before; tried again then.",
    "cardExpired": "The card will have expired.",
    "asked": "The guest was asked for another card.",
    "until": "Answer until {time}.",
    "ask": "Ask the guest for another card."
  },
  "virtualCards": {
    "title": "Virtual cards",
    "intro": "Cards of agencies, which are charged in their time and up to their limit. Times are in {timeZone}.",
    "choose": "Which virtual cards",
    "all": "All",
    "caption": "The card that becomes active last comes first",
    "empty": "There is no virtual card here.",
    "channel": "From",
    "state": "State",
    "from": "Active from",
    "until": "Active until",
    "limit": "Limit",
    "taken": "Taken",
    "remaining": "Remaining",
    "due": "Due",
    "states": {
      "ended": "Ended",
      "notActive": "Not active yet",
      "refundable": "To refund",
      "lapsing": "Ends soon",
      "chargeable": "To charge",
      "charged": "Charged"
    }
  },
  "disputes": {
    "title": "Disputes",
    "intro": "Payments that guests dispute at their bank. Open one to see what is known about it, to answer it, or to give it up.",
    "heading": "Open disputes",
    "caption": "Open disputes, the soonest deadline first",
    "empty": "There are no open disputes.",
    "due": "Evidence due",
    "given": "given",
    "noDeadline": "no deadline named",
    "late": "Overdue since {time}",
    "fee": "Fee",
    "reason": "Reason",
    "stage": "Stage",
    "state": "State",
    "opened": "Opened",
    "id": "Dispute",
    "open": "Open",
    "decided": "Decided",
    "reasons": {
      "general": "No reason given",
      "fraudulent": "The guest does not know the payment",
      "duplicate": "Charged twice",
      "product_not_received": "Not received",
      "product_unacceptable": "Not as described",
      "subscription_canceled": "Cancelled before",
      "credit_not_processed": "A refund did not arrive",
      "unrecognized": "The guest does not recognise the payment"
    },
    "closed": {
      "heading": "Decided disputes",
      "caption": "Won and lost, the latest first",
      "empty": "No dispute was decided yet."
    }
  },
  "disputeFile": {
    "title": "Dispute of {reference}",
    "heading": "The dispute",
    "pdf": "All that is known, as a PDF",
    "onItsWay": "An answer is on its way",
    "missing": "What is missing",
    "nothingMissing": "All that answers this reason is known.",
    "parts": {
      "agreements": "what the guest agreed to on our pages",
      "bankStep": "that the guest’s bank verified them",
      "earlierPayments": "earlier undisputed payments of the same card",
      "mails": "mails to the guest",
      "openings": "openings of the guest’s page",
      "policy": "the cancellation policy",
      "refunds": "a refund of the payment",
      "stay": "that the stay took place"
    },
    "suggested": "What the bank will read",
    "fields": {
      "access_activity_log": "What the guest did",
      "billing_address": "Address",
      "cancellation_policy_disclosure": "The policy as it was shown",
      "cancellation_rebuttal": "Cancellation",
      "customer_email_address": "E-mail",
      "customer_name": "Guest",
      "customer_purchase_ip": "IP address",
      "duplicate_charge_explanation": "What each charge was for",
      "duplicate_charge_id": "The other charge",
      "product_description": "What was sold",
      "refund_policy_disclosure": "The policy",
      "refund_refusal_explanation": "Refunds",
      "service_date": "Arrival",
      "uncategorized_text": "What happened"
    },
    "answer": "Answer",
    "tooLong": "All texts together are too long.",
    "note": "Your own words to the bank, if you like",
    "noteRefused": "Your words are too long, or hold a card number.",
    "notYours": "Managers answer disputes.",
    "titles": {
      "evidence": "Send the evidence",
      "acceptance": "Give the dispute up"
    },
    "effects": {
      "evidence": "The evidence about {amount} goes to the bank. That can be done once: then the bank decides.",
      "acceptance": "The dispute is lost at once, and {amount} stays with the guest. That is final."
    },
    "done": "Done. The state below says how the dispute stands."
  },
  "differences": {
    "title": "To reconcile",
    "intro": "Where the acquirer’s record and ours differ, and nobody accepted it yet.",
    "heading": "Open differences",
    "caption": "Open differences, the latest first",
    "empty": "The records agree, as far as they were compared.",
    "found": "Found",
    "unknownBooking": "not known",
    "nothing": "nothing",
    "ours": {
      "all": "Our record",
      "status": "Status here",
      "amount": "Amount here",
      "currency": "Currency here",
      "id": "Id here"
    },
    "theirs": {
      "all": "Payment company",
      "status": "Status there",
      "amount": "Amount there",
      "currency": "Currency there",
      "id": "Id there"
    },
    "detail": "Detail",
    "accept": "Accept",
    "reason": "Reason",
    "reasonFor": "Reason to accept {id}",
    "accepted": "The difference is accepted.",
    "notYours": "Your role ({role}) sees them. A manager may accept them.",
    "acceptTitle": "Accept the difference",
    "what": "Check before you accept",
    "sides": "{kind}. Our record: {ours}. Payment company: {theirs}.",
    "final": "It will be marked as explained and won’t be shown again. No money moves. This cannot be undone.",
    "kept": "The reason is kept:",
    "back": "Cancel",
    "noReason": "A reason is missing",
    "sayWhy": "Enter a reason for the audit trail: 1 to 500 characters, and no card number. Nothing was done.",
    "notDone": "This was not done",
    "ledger": "Compare what the PMS has booked"
  },
  "payouts": {
    "title": "Disbursements",
    "heading": "What the acquirer pays out",
    "caption": "The newest first",
    "empty": "There are no payouts yet.",
    "payout": "Payout",
    "arrives": "Arrives",
    "day": "Day of arrival",
    "of": "Payout {id}",
    "acquirer": "Acquirer",
    "madeOf": "What it is made of",
    "total": "Total",
    "compare": "Find it on the bank statement",
    "contained": {
      "caption": "The oldest first",
      "empty": "There are no items.",
      "back": "Back to the first items",
      "more": "Later items",
      "file": "all items"
    },
    "noBooking": "No booking",
    "acquirersId": "Acquirer's id",
    "ways": "Ways to a payout",
    "all": "All",
    "bankLine": "What is this bank line?",
    "intro": "What the acquirer pays out, the newest first.",
    "statement": "Bank statement"
  },
  "booking": {
    "title": "{guest}, {reference}",
    "payments": {
      "heading": "Payments",
      "caption": "Payments, the latest first",
      "empty": "There are no payments.",
      "atAcquirer": "At the payment company",
      "back": "Back to the latest payments",
      "more": "Earlier payments",
      "file": "the payments"
    },
    "refunds": {
      "heading": "Refunds",
      "caption": "Refunds, the latest first",
      "empty": "There are no refunds.",
      "back": "Back to the latest refunds",
      "more": "Earlier refunds",
      "file": "the refunds",
      "madeBy": "Made by",
      "atAcquirer": "someone at the acquirer",
      "here": "this service",
      "acquirersId": "Acquirer’s id",
      "acquirersIdInFile": "Acquirer's id",
      "madeAtAcquirer": "Made at the acquirer",
      "yes": "yes",
      "no": "no"
    },
    "stay": {
      "heading": "Stay",
      "guest": "Guest",
      "email": "E-mail",
      "phone": "Phone",
      "status": "Status",
      "cancelled": "Cancelled",
      "booked": "Booked",
      "arrival": "Arrival",
      "departure": "Departure",
      "confirmation": "PMS confirmation"
    },
    "balance": {
      "heading": "Balance",
      "without": "Without fees.",
      "total": "Total",
      "paid": "Paid, after refunds",
      "due": "Due",
      "uncertainMinor": "Waiting for the bank",
      "scheduledMinor": "Scheduled",
      "plannedMinor": "To come by the plan",
      "heldMinor": "Held",
      "refundedMinor": "Refunded",
      "waivedMinor": "Waived",
      "disputedMinor": "Disputed",
      "bondsMinor": "Deposits held as bond",
      "overpaidMinor": "Overpaid"
    },
    "done": {
      "charge": "The card was charged.",
      "schedule": "The charge is scheduled.",
      "hold": "The amount is held.",
      "capture": "The hold was captured.",
      "release": "The hold was released.",
      "refund": "The refund was made.",
      "cancelSchedule": "The scheduled charge was cancelled.",
      "cancelSchedules": "The scheduled charges were cancelled.",
      "cancelBooking": "The booking is cancelled. The timeline shows how it is settled.",
      "cancelPlan": "The payment plan was cancelled.",
      "putPlan": "The payment plan was put.",
      "requestCard": "The guest was asked for a card.",
      "mailLink": "The guest is mailed a payment link.",
      "resolve": "It was resolved manually."
    },
    "link": {
      "heading": "Payment link",
      "asks": "The guest’s page asks for {amount} today. The link works for 30 days.",
      "label": "Link to copy",
      "open": "Open the guest’s page",
      "copy": "Copy",
      "copied": "Copied.",
      "send": "Mail a link to {email}",
      "write": "Write an e-mail to {email}",
      "subject": "Payment for your stay at {property} ({reference})",
      "back": "Back to the booking",
      "gone": "This link is not shown any more. Make another one."
    },
    "summary": {
      "latest": "Latest payment",
      "refund": "Latest refund",
      "next": "Next charge",
      "disputed": "Disputed payment",
      "answerUntil": "Guest was asked for another card, until",
      "due": "{amount} due",
      "of": "{what}: {amount}"
    },
    "plan": {
      "heading": "Payment plan ({status})",
      "caption": "Parts of the payment plan, in the order in which they are charged",
      "empty": "The plan has no parts.",
      "part": "Part",
      "dueAt": "Charged",
      "amount": "Amount",
      "lacks": "Still open",
      "state": "State",
      "statuses": {
        "active": "active",
        "completed": "completed",
        "cancelled": "cancelled"
      },
      "states": {
        "planned": "planned",
        "processing": "no answer yet",
        "paid": "paid",
        "failed": "failed",
        "void": "not to be charged"
      }
    },
    "cards": {
      "heading": "Cards on file",
      "caption": "Cards on file, the newest first",
      "empty": "There is no card on this booking.",
      "until": "Valid until",
      "holder": "Name on the card",
      "since": "Since",
      "note": "Note",
      "inUse": "is charged",
      "expired": "expired",
      "former": "of a former account: takes no new charge",
      "virtual": "virtual card{channel}",
      "virtualOf": " of {channel}",
      "virtualFrom": "charged from {time}",
      "virtualUntil": "until {time}",
      "remaining": "{amount} remains"
    }
  },
  "timeline": {
    "heading": "Timeline",
    "choices": "What the timeline shows",
    "all": "All",
    "intro": "The latest first, in the time of {timeZone}.",
    "back": "Back to the latest",
    "empty": "There is nothing of this kind.",
    "earlier": "Earlier entries",
    "file": "the timeline",
    "kindNames": {
      "payments": "Payments",
      "refunds": "Refunds",
      "disputes": "Disputes",
      "booking": "Booking",
      "pms": "PMS",
      "mails": "Mails",
      "events": "Events"
    },
    "by": "By {name}",
    "id": "Id {id}",
    "card": "card {last4}",
    "endingIn": "Card ending in",
    "nameOfToday": "{name} (name of today)",
    "program": "the program {id}…",
    "actors": {
      "alarm": "Automatic",
      "sweep": "Automatic",
      "gateway": "the acquirer",
      "guest": "the guest"
    },
    "correction": "Correction: {what}",
    "recovery": "Recovery: {to}",
    "payment": "Payment {id}: {to}",
    "accepted": "Difference from the acquirer accepted",
    "other": "{subject}: {to}",
    "cards": {
      "attached": "Card added",
      "updated": "Card renewed",
      "active": "Virtual card can be charged",
      "lapsing": "Virtual card ends soon",
      "removed": "Card removed"
    },
    "links": {
      "made": "Payment link made",
      "mailed": "Payment link mailed to the guest",
      "card requested": "Guest asked for a card",
      "revoked": "Payment links withdrawn"
    },
    "settlements": {
      "settled": "Cancellation settled",
      "incomplete": "Cancellation not wholly settled"
    },
    "messageChanges": {
      "Pending": "PMS message sent again",
      "Dismissed": "PMS message dismissed"
    },
    "plans": {
      "put": "Payment plan put",
      "active": "Payment plan changed",
      "completed": "Payment plan completed",
      "cancelled": "Payment plan cancelled"
    },
    "recoveries": {
      "begun": "This charge needs another card or the guest",
      "expiring": "The card will have expired by then",
      "asked": "Guest asked for another card or to pay",
      "answered": "Guest replaced the card",
      "paid": "Guest paid it instead",
      "over": "No other card is needed any more",
      "flagged": "Guest did not answer in time: please follow up",
      "unanswered": "Guest did not answer in time"
    },
    "bookings": {
      "cancelled": "Booking cancelled",
      "again": "Booked again",
      "added": "Booking added",
      "changed": "Booking changed"
    },
    "payments": {
      "charge": {
        "Processing": "Payment sent, no answer yet",
        "Accepted": "Payment taken",
        "Declined": "Payment declined",
        "Failed": "Payment failed, nothing was charged"
      },
      "schedule": {
        "Pending": "Charge scheduled",
        "Processing": "Scheduled charge sent, no answer yet",
        "Accepted": "Scheduled charge taken",
        "Declined": "Scheduled charge declined",
        "Failed": "Scheduled charge failed, nothing was charged",
        "Cancelled": "Scheduled charge cancelled"
      },
      "authorization": {
        "Processing": "Hold sent, no answer yet",
        "Authorized": "Amount held",
        "Accepted": "Hold captured",
        "Declined": "Hold declined",
        "Failed": "Hold failed, nothing was held",
        "Released": "Hold released",
        "Expired": "Hold expired"
      }
    },
    "triedAgain": "Scheduled charge not taken, will be tried again",
    "captureSent": "Capture or release sent, no answer yet",
    "refunds": {
      "Processing": "Refund sent, no answer yet",
      "Refunded": "Refunded",
      "Failed": "Refund failed"
    },
    "disputes": {
      "needs_response": "Dispute opened: it needs an answer",
      "under_review": "Dispute under review by the bank",
      "won": "Dispute won",
      "lost": "Dispute lost"
    },
    "inquiry": "{what} (inquiry: nothing was withdrawn)",
    "retried": "{what}, after {attempts} attempts",
    "messages": {
      "Pending": "Waiting for the PMS: {type}",
      "Confirmed": "Sent to the PMS: {type}",
      "Dead": "Not delivered to the PMS: {type}",
      "Dismissed": "Dismissed, the PMS never gets it: {type}"
    },
    "mail": "{kind}: {state}",
    "mailKinds": {
      "receipt": "Mail to the guest, receipt",
      "refund": "Mail to the guest, refund",
      "failedPayment": "Mail to the guest, failed payment",
      "cardRecovery": "Mail to the guest, card that fails",
      "virtualCard": "Mail to the hotel, virtual card that fails",
      "cardRequest": "Mail to the guest, card asked for",
      "paymentLink": "Mail to the guest, payment link",
      "dailyWord": "Daily summary to the hotel"
    },
    "mails": {
      "Pending": "waits to be sent",
      "Sent": "sent",
      "Suppressed": "not sent: mail to this address came back",
      "Dropped": "not sent: nobody is to be told any more",
      "Dead": "not sent: given up"
    },
    "event": "Told the booking engine: {type} (event {sequence})",
    "delivery": "delivery to {host} {state} after {attempts} attempts",
    "why": "{delivery} ({why})",
    "answer": "answer {status}",
    "givenUp": "given up",
    "waits": "waits",
    "details": {
      "refund_failed": "the bank returned the money"
    },
    "agreed": "agreed to card storage ({language})"
  },
  "report": {
    "title": "Reports",
    "days": "Days",
    "currencies": "Currencies",
    "last7": "Last 7 days",
    "last30": "Last 30 days",
    "thisMonth": "This month",
    "lastMonth": "Last month",
    "from": "From",
    "to": "To",
    "show": "Show",
    "by": "By {step}",
    "steps": {
      "day": "day",
      "week": "week",
      "month": "month"
    },
    "quiet": "{steps} without payments are not listed",
    "takenIn": "Taken, {currency}",
    "refundedIn": "Refunded, {currency}",
    "acceptance": "Acceptance rate",
    "untaken": "Declined and failed",
    "table": "All figures",
    "explained": "Days in the time of {timeZone}. Amounts in {currency}, with the fees that guests paid. A payment counts on the day on which it was taken or declined, a refund on the day on which it was made, the acquirer’s fees on the day of its payout. The acceptance rate is the part of what banks decided that they approved, charges and holds alike: captures and failed payments do not count in it.",
    "empty": "Nothing happened on these days.",
    "total": "Total",
    "file": "all days",
    "day": "Day",
    "payments": "Payments",
    "paymentsTaken": "Payments taken",
    "taken": "Taken",
    "guestFees": "Guest fees",
    "guestFeesInIt": "Guests' fees in it",
    "approved": "Approved by banks",
    "declined": "Declined",
    "failed": "Failed",
    "accepted": "Acceptance",
    "acceptedInPerCent": "Acceptance rate in per cent",
    "refunds": "Refunds",
    "refunded": "Refunded",
    "disputes": "Disputes",
    "withdrawn": "Chargebacks",
    "withdrawnInFile": "Withdrawn for disputes",
    "acquirersFees": "Acquirer’s fees",
    "acquirersFeesInFile": "Acquirer's fees",
    "reasons": {
      "heading": "Why payments failed",
      "caption": "The most frequent reason first; amounts in {currency}",
      "reason": "Reason",
      "outcome": "Outcome",
      "code": "Code",
      "failed": "No decision of the bank: nothing was charged",
      "file": "the reasons"
    },
    "cancellations": {
      "heading": "Cancellations",
      "caption": "Those that were settled by a quote, on the day on which they were made; amounts in {currency}, without fees and Bonds",
      "reason": "Reason",
      "reasons": {
        "guest": "The guest cancelled",
        "property": "The property cancelled",
        "noShow": "The guest did not come"
      },
      "number": "Cancellations",
      "kept": "Kept",
      "charged": "Charged for it",
      "refunded": "Refunded",
      "uncollected": "Not collected",
      "file": "the cancellations"
    },
    "noLastDay": "Enter an existing day as the last one.",
    "noFirstDay": "Enter an existing day as the first one.",
    "backwards": "The last day must not come before the first one.",
    "tooFar": "Choose days that are at most a year ahead.",
    "tooMany": "Choose at most {days} days at a time.",
    "totals": {
      "heading": "{amount} net",
      "caption": "Taken, less what was refunded, charged back or kept as fees; amounts in {currency}, beside the days before"
    },
    "parts": {
      "heading": "Taken by card, purpose and person",
      "jump": "By card, purpose and person",
      "noCard": "Not known",
      "guests": "Guests’ own cards",
      "unnamed": "Virtual cards, no agency named",
      "by": {
        "brand": "By card",
        "agency": "By virtual cards and guests’ own",
        "purpose": "By purpose",
        "actor": "By who took or refunded it"
      },
      "names": {
        "brand": "Card",
        "agency": "Whose cards",
        "purpose": "Purpose",
        "actor": "Person"
      },
      "actors": {
        "guest": "Guests, on their page",
        "alarm": "Automatic",
        "sweep": "Automatic",
        "gateway": "The payment company"
      }
    },
    "plurals": {
      "day": "{number, plural, one {1 day} other {# days}}",
      "week": "{number, plural, one {1 week} other {# weeks}}",
      "month": "{number, plural, one {1 month} other {# months}}"
    }
  },
  "figure": {
    "titles": {
      "taken": "Payments taken",
      "refunded": "Refunds",
      "withdrawn": "Chargebacks",
      "Declined": "Declined payments",
      "Failed": "Failed payments",
      "acquirerFees": "Payouts and their fees"
    },
    "intro": "{days}, in {currency}: what stands behind this figure of the report.",
    "total": "{number, plural, one {1 entry} other {# entries}}, {amount} together.",
    "fees": "{amount} fees.",
    "only": "Only: {what}.",
    "tooMany": "The file has the latest {number}. For the others, choose fewer days.",
    "caption": "The latest first",
    "empty": "There is nothing of this kind.",
    "back": "Back to the report",
    "by": "By",
    "refund": "Refund id",
    "dispute": "Dispute id",
    "acquirersId": "Acquirer's id"
  },
  "bankLine": {
    "title": "What is this bank line?",
    "amount": "Amount",
    "day": "Day",
    "days": "Days around it",
    "none": "None",
    "upTo": "Up to {days}",
    "currency": "Currency",
    "find": "Find",
    "itIs": "It is this payout",
    "oneOf": "It is one of these {number} payouts",
    "nothing": "Nothing fits exactly",
    "noPayout": "No payout of exactly {amount} around {day}.",
    "bookings": "What this payout contains",
    "items": "The oldest first",
    "file": "the items",
    "others": "Other possible matches",
    "possible": "Possible matches",
    "payout": ": {amount}, {day}",
    "match": "The amount fits, and the money is expected {when}. {state}.",
    "failed": "The amount fits, but this payout failed: its money did not reach the bank.",
    "otherDay": "The amount fits, but the money is expected {when}.",
    "gross": "The line has what guests paid, {gross}; after the acquirer’s fees {net} reaches the bank.",
    "opposite": "The amount fits, but the money goes the other way.",
    "otherCurrency": "The figures fit, but this payout is in {currency}.",
    "more": "The day fits, but it is {amount} more: the bank may have taken or added something.",
    "less": "The day fits, but it is {amount} less: the bank may have taken or added something.",
    "onDay": "on that day",
    "later": "{days, plural, one {1 day} other {# days}} later",
    "earlier": "{days, plural, one {1 day} other {# days}} earlier",
    "noAmount": "Enter an amount such as 600.00.",
    "noDay": "Enter the day of the bank line.",
    "noCurrency": "Enter the three letters of a currency, such as AUD."
  },
  "bankStatement": {
    "title": "Bank statement",
    "intro": "Lines of the bank that are no payout that is known, the latest first.",
    "heading": "Lines without a payout",
    "caption": "The latest first",
    "empty": "Every line that was imported is a payout.",
    "import": "Import a file of the bank",
    "file": "File (camt.053 or CSV)",
    "csv": "For a CSV file: the headers of its columns",
    "date": "Day of booking",
    "amount": "Amount",
    "description": "Text",
    "dateFormat": "How its days are written, such as DD.MM.YYYY",
    "send": "Import",
    "imported": "{lines, plural, =0 {The file has no lines.} one {1 line was read:} other {# lines were read:}} {matched} matched a payout, {unmatched} did not, {repeated} had been imported before.",
    "noFile": "Choose a file of the bank.",
    "refused": "The file was not imported",
    "day": "Day",
    "what": "What is it?",
    "find": "Find its payout"
  },
  "ledger": {
    "title": "What the PMS has booked",
    "intro": "A PMS can lose what it was sent, change it or book it twice. Export its payments and refunds of some days as CSV, and compare them here. The first row names the columns: reference, type (Payment or Refund), amountGross, and, if the PMS has them, transactionId and processedTime.",
    "compare": "Compare a file of the PMS",
    "from": "From",
    "to": "To",
    "file": "File (CSV)",
    "send": "Compare",
    "noFile": "Choose a file of the PMS.",
    "noDay": "Enter a day.",
    "refused": "The file was not compared",
    "found": "What was found",
    "at": "Compared",
    "matched": "Lines that agree",
    "missing": "The PMS lacks these",
    "missingCaption": "With what became of their messages since",
    "noneMissing": "The PMS has all that it was sent.",
    "delivery": "Message",
    "states": {
      "Pending": "On its way",
      "Confirmed": "Confirmed",
      "Dead": "Given up",
      "Dismissed": "Discarded"
    },
    "repair": "{count, plural, one {Send it again} other {Send these # again}}",
    "repaired": "{count, plural, =0 {Nothing had to be sent: it is on its way, or was confirmed since.} one {1 message is sent again.} other {# messages are sent again.}}",
    "unknown": "The PMS has these, and we never sent them",
    "noneUnknown": "Every line is known here.",
    "twice": "The PMS has these twice",
    "noneTwice": "No line stands twice.",
    "different": "These differ",
    "noneDifferent": "No line differs.",
    "linesCaption": "In the order of the file",
    "transaction": "Transaction",
    "field": "Member",
    "fields": {
      "reference": "Booking",
      "type": "Type",
      "amountGross": "Amount",
      "processedTime": "Time"
    },
    "ours": "We sent",
    "theirs": "The PMS has",
    "kinds": {
      "Payment": "Payment",
      "Refund": "Refund"
    }
  },
  "amounts": {
    "which": "Which amount do you mean? Enter {small} or {large}."
  },
  "actions": {
    "heading": "Actions",
    "viewerOnly": "You can view this booking but not change it.",
    "summaries": {
      "charge": "Charge a card now",
      "schedule": "Schedule a charge",
      "hold": "Hold an amount",
      "putPlan": "Put a payment plan",
      "cancelBooking": "Cancel the booking"
    },
    "titles": {
      "charge": "Charge the card",
      "schedule": "Schedule the charge",
      "hold": "Hold the amount",
      "capture": "Capture the hold",
      "release": "Release the hold",
      "refund": "Refund the payment",
      "cancelSchedule": "Cancel the scheduled charge",
      "cancelSchedules": "Cancel all scheduled charges",
      "cancelBooking": "Cancel the booking",
      "putPlan": "Put the payment plan",
      "cancelPlan": "Cancel the payment plan",
      "requestCard": "Ask the guest for a card",
      "makeLink": "Make a payment link",
      "mailLink": "Mail a payment link",
      "resolve": "Resolve it manually"
    },
    "amount": "Amount without fees, in {currency}",
    "holdUntil": "Hold until ({timeZone})",
    "chargeAt": "Charge at ({timeZone})",
    "for": "For",
    "purposes": {
      "Balance": "Balance of the booking",
      "Deposit": "Deposit",
      "Bond": "Bond",
      "Manual": "Something else"
    },
    "card": "Card",
    "bookingsCard": "The booking’s card: {card}",
    "noCard": "none yet",
    "formerCard": "{card}, of a former account",
    "initiator": "How is it authorised?",
    "initiators": {
      "property": "As agreed when the card was saved (guest not present)",
      "phone": "By the guest, by phone or mail"
    },
    "description": "Description (optional)",
    "template": "Plan",
    "continue": "Continue",
    "short": {
      "refund": "Refund",
      "capture": "Capture",
      "release": "Release",
      "cancelSchedule": "Cancel",
      "resolve": "Resolve manually"
    },
    "costsLess": "Does the stay now cost less?",
    "ofPayment": "payment {id}",
    "cancel": {
      "reason": "Who cancels",
      "reasons": {
        "guest": "The guest",
        "noShow": "The guest did not come",
        "property": "The property"
      },
      "amount": "Keep this amount in {currency} (leave empty to follow the policy)",
      "why": "Why, if you keep another amount than the policy says"
    },
    "resolve": {
      "outcome": "What happened at the acquirer",
      "outcomes": {
        "Failed": "It never took place",
        "Declined": "It was declined",
        "Accepted": "It was accepted"
      },
      "reference": "The acquirer’s id, if it was accepted",
      "reason": "Reason"
    },
    "issues": {
      "form": "This form is not complete. Please begin again.",
      "begin": "Please begin again.",
      "amount": "Enter an amount, such as 150.00.",
      "description": "Use at most 500 characters, and no card number.",
      "purpose": "Choose what the payment is for.",
      "outcome": "Choose what happened.",
      "reason": "Enter a reason for the audit trail. Use at most 500 characters, and no card number.",
      "cancelReason": "Choose who cancels.",
      "template": "Choose one of the plans.",
      "gatewayReference": "This is not a valid gateway id.",
      "time": "Choose a day and a time.",
      "past": "Choose a time to come.",
      "holdTooLong": "Choose a time within {days} days.",
      "scheduleTooFar": "Choose a time within {years} years.",
      "stale": "Nothing was done: the booking or the price has changed since. Please look at it again before you confirm."
    },
    "noCardYet": "There is no card on this booking. Ask the guest for one, or send a payment link.",
    "amountToRefund": "Amount to refund, in {currency}",
    "amountToCapture": "Amount to capture, in {currency}; all of it if empty",
    "itDoes": "Yes: what is refunded is no longer due",
    "itDoesNot": "No: it is to be paid another way",
    "refundReason": "Reason (optional; the guest may read it)",
    "notDone": {
      "noCard": "There is no card on this booking. Ask the guest for one, or send a payment link.",
      "declined": "Declined: {reason}. Nothing was charged.",
      "gateway": "The payment company could not process this. Nothing was charged. Try again.",
      "outcomeUnknown": "The bank did not answer yet. Do not try again: the service finds out what happened, and the timeline will show it."
    }
  },
  "confirm": {
    "amount": "Amount",
    "fees": "Fees",
    "dueBefore": "Due before",
    "dueAfter": "Due after",
    "back": "Cancel",
    "row": "{kind} {id}: {amount}, made {time}.",
    "charge": "Charge {amount} to {card} of {guest}, {reference}, {purpose}, {order}.",
    "schedule": "On {time}, charge {amount} to {card} of {guest}, {reference}, {purpose}, {order}.",
    "hold": "Hold {amount} on {card} of {guest}, {reference}, {purpose}, {order}, until {time}, or earlier if the bank says so. Nothing is charged yet.",
    "capture": "What is held is charged.",
    "release": "{amount} is no longer held on {card} of {guest}, {reference}. Nothing is charged.",
    "refund": "{amount} goes back to {card} of {guest}, {reference}. This cannot be undone.",
    "cancelSchedule": "{amount} will not be charged to {card} of {guest}, {reference}, on {time}.",
    "cancelSchedules": "None of the scheduled charges of this booking will take place.",
    "cancelPlan": "{amount} of the payment plan will not be charged.",
    "putPlan": "{amount} will be charged in {parts} parts to the card that the booking has at each time, for {guest} ({reference}).",
    "planPart": "{label}: {amount} on {time}.",
    "planReplaced": "It takes the place of the payment plan that is active now. What that has charged counts.",
    "requestCard": "{email} gets a link to add a card, which works until {time}. Nothing is charged.",
    "makeLink": "You get a link to the guest’s payment page, which works until {time}. The page asks for {amount} today.",
    "mailLink": "{email} gets a mail with a link to the payment page, which works until {time}. The page asks for {amount} today.",
    "resolve": "{outcome} The acquirer is asked once more first: a certain answer of it counts more. The reason is kept: {reason}",
    "captureWhole": "The whole amount that is held is charged to {card} of {guest}, {reference}.",
    "capturePart": "{amount} of what is held is charged, and its fees, to {card} of {guest}, {reference}; the rest is released.",
    "waived": "The stay costs that much less: it is not due again.",
    "dueAgain": "The stay costs the same: the amount is due again.",
    "orders": {
      "property": "as agreed when the card was saved (guest not present)",
      "phone": "as an order of the guest by phone or mail"
    },
    "outcomes": {
      "Accepted": "It counts as done from now on, and the PMS is told.",
      "Declined": "It counts as declined: no money was moved.",
      "Failed": "It counts as failed: no money was moved."
    },
    "cancelling": {
      "whole": "Cancel booking {reference} of {guest}. Of what it costs, {kept} is kept; {paid} is paid so far.",
      "capture": "{amount} of what is held is charged.",
      "charge": "{amount} is charged to {card}.",
      "refund": "{amount} goes back to the guest.",
      "bond": "A Bond of {amount} goes back to the guest.",
      "release": "{amount} is no longer held.",
      "schedule": "The scheduled charge of {amount} is cancelled.",
      "plan": "The payment plan is cancelled.",
      "uncollectable": "{amount} cannot be taken: no card can be charged.",
      "unrefundable": "{amount} cannot be given back by card.",
      "final": "The PMS is told. This cannot be undone."
    },
    "notNow": "This cannot be done now",
    "charged": "Total charged",
    "held": "Held on the card",
    "again": "Charge again anyway",
    "twin": "This looks like a payment you have just made ({amount}, {time}).",
    "pendingRow": "{kind} {id}: {amount}, will be charged to {card} on {time}.",
    "withExpiry": "{card} ({month}/{year})",
    "anotherCard": "If the guest adds another card before, that one is charged.",
    "described": "Description: {description}",
    "left": "{amount} of this payment can still be refunded then.",
    "mailed": "The guest gets an e-mail.",
    "purposes": {
      "Balance": "as balance",
      "Deposit": "as deposit",
      "Bond": "as bond",
      "Manual": "as another payment"
    }
  },
  "rights": {
    "refused": "Only {least} can {what}.",
    "least": {
      "viewer": "viewers",
      "accountant": "accountants",
      "cashier": "cashiers and managers",
      "manager": "managers",
      "admin": "administrators"
    },
    "roles": {
      "viewer": "viewer",
      "accountant": "accountant",
      "cashier": "cashier",
      "manager": "manager",
      "admin": "admin"
    },
    "may": {
      "see": "see bookings",
      "charge": "charge cards",
      "refund": "refund",
      "sendLinks": "send links",
      "schedule": "schedule charges",
      "hold": "hold, capture and release amounts",
      "cancelSchedules": "cancel scheduled charges",
      "cancelBookings": "cancel bookings",
      "seeReports": "see reports",
      "resolve": "settle payments by hand",
      "acceptDifferences": "accept differences",
      "answerDisputes": "answer disputes",
      "manageStaff": "change who works here"
    }
  },
  "chart": {
    "range": "From {from} to {to}.",
    "nothing": "There is nothing to show.",
    "highest": "The highest is {value}: {label}."
  },
  "csv": {
    "all": "Download as CSV",
    "of": "Download {table} as CSV"
  },
  "search": {
    "nearest": "Only the stays nearest to today are listed, here and in the file. Type more words to find others.",
    "file": "the bookings",
    "label": "Find a booking",
    "hint": "You can type any words of a name, a reference or its end, an e-mail address, a phone number, the last four digits of a card, an amount that was charged, the id of a payment, or the PMS’s confirmation number.",
    "find": "Find",
    "none": "Nothing was found",
    "tryAgain": "Try fewer words, or only their beginnings.",
    "found": "{number, plural, one {1 booking} other {# bookings}}",
    "firstName": "First name",
    "lastName": "Last name",
    "arrival": "Arrival",
    "departure": "Departure",
    "total": "Total",
    "title": "Search",
    "part": "{first}–{last} of {number} bookings",
    "more": "more than {number}",
    "caption": "The nearest stay first",
    "due": "Due",
    "state": "State"
  },
  "console": {
    "site": "Console",
    "language": "Language",
    "of": "{property} – Console",
    "all": "All properties",
    "properties": "Properties",
    "back": "Back to the console",
    "tabs": {
      "property": "Today",
      "failed": "Needs attention",
      "coming": "Upcoming",
      "virtual": "Virtual cards",
      "disputes": "Disputes",
      "differences": "To reconcile",
      "report": "Reports",
      "disbursements": "Disbursements",
      "staff": "Staff"
    },
    "notFound": "Not found",
    "notFoundText": "There is nothing here, or you have no access to it.",
    "notYourRole": "No access",
    "ended": "Your session has ended, so nothing was done. Please sign in again.",
    "signOut": "Sign out"
  },
  "messages": {
    "failed": "Something went wrong",
    "failedText": "{detail} (Request id: {id})",
    "unreadable": "We could not read the form",
    "foreign": "This form was not sent from this page",
    "nothing": "Nothing was changed."
  },
  "signIn": {
    "title": "Sign in",
    "intro": "We e-mail you a link that signs you in. There is no password.",
    "email": "E-mail address",
    "send": "Send the link",
    "accessOnly": "The console opens through your organisation’s sign-in only (Cloudflare Access), and that let nobody of the staff through. Open it by the address that your administrator gave you.",
    "sentTitle": "Check your e-mail",
    "ended": "You were signed out: a session lasts for 12 hours, and where you have a passkey, 30 minutes without use.",
    "sent": "If {email} has an account, a sign-in link is on its way.",
    "mailbox": "Open the mailbox of this machine",
    "once": "The link works once, for 15 minutes.",
    "another": "Ask for another link",
    "as": "Sign in as",
    "noMail": "Signing in by e-mail is not configured: this service cannot send mails. Ask your administrator to set MAIL_FROM.",
    "refused": "This link has expired or was used already. Please ask for another one.",
    "noAddress": "Enter an e-mail address, such as desk@hotel.com.",
    "mail": {
      "subject": "Sign in to bookings and payments",
      "opening": "Hello {name}, use this link to sign in. It works once, for 15 minutes.",
      "closing": "If you did not ask for it, ignore this message: no one has signed in with it."
    }
  },
  "passkeys": {
    "ask": {
      "make": "Add a passkey on this device",
      "use": "Sign in with a passkey"
    },
    "failed": {
      "make": "No passkey was added.",
      "use": "This did not work. Try again, or have a link e-mailed to you."
    },
    "refused": "This passkey did not work. Please try again."
  },
  "account": {
    "title": "Your sign-in",
    "device": "Device",
    "here": "(this one)",
    "seen": "Last seen",
    "started": "Signed in",
    "end": "End",
    "madeOn": "Added on",
    "made": "Added",
    "used": "Last used",
    "remove": "Remove",
    "sessions": {
      "heading": "Where you are signed in",
      "caption": "The latest first",
      "empty": "Your organisation’s sign-in vouches for you here: there is no session to end."
    },
    "passkeys": {
      "heading": "Passkeys",
      "caption": "The latest first",
      "empty": "You have no passkey yet.",
      "intro": "With a passkey you sign in by the lock of your own device (a fingerprint, your face or its PIN), without an e-mail."
    }
  },
  "ops": {
    "title": "Operations",
    "site": "Bookings and payments",
    "back": "Back to operations",
    "signedInAs": "Signed in as",
    "asOf": "As of",
    "zones": "Property times are local.",
    "refresh": "Refresh",
    "notYours": "Operations are for administrators of the whole service.",
    "signIn": {
      "title": "Sign in",
      "clientId": "Client id",
      "clientSecret": "Client secret",
      "rejected": "Wrong client ID or secret, or no administrator access.",
      "ended": "Your session has ended, so nothing was changed. Please sign in again."
    },
    "done": {
      "replayed": "{count, plural, one {1 message} other {# messages}} will be sent again.",
      "dismissed": "{count, plural, one {1 message} other {# messages}} dismissed.",
      "accepted": "The difference is accepted."
    },
    "noReason": "Enter a reason for the audit trail: 1 to 500 characters, no card number.",
    "whole": "All of these",
    "nothingToDo": "Nothing to do in {number, plural, one {1 part} other {# parts}}",
    "verdict": {
      "good": "Everything works: nothing is late, unknown or undelivered.",
      "bad": "{number, plural, one {1 thing needs} other {# things need}} somebody:",
      "away": "A database does not answer: what its properties have is not on this page",
      "keys": "A key is missing from KEYRING: something is encrypted with it",
      "late": "Payments, refunds or status checks are overdue by more than 10 minutes",
      "rejecting": "The acquirer rejects charges for reasons of its own: schedules wait",
      "unknown": "{number, plural, one {1 outcome is} other {# outcomes are}} not known",
      "failed": "{number, plural, one {1 payment} other {# payments}} of the last 24 hours failed on the way",
      "messages": "{property}: {number, plural, one {1 message to the PMS is} other {# messages to the PMS are}} undelivered since {time}: {cause}",
      "messagesLate": "Messages to PMSs are late",
      "noCause": "no reason given",
      "events": "Webhook endpoints do not get their events",
      "disputesLate": "{number, plural, one {1 dispute is} other {# disputes are}} past the deadline of the answer",
      "disputesSoon": "{number, plural, one {1 dispute has} other {# disputes have}} to be answered within 48 hours, the first by {time}",
      "more": "{text} (and more)",
      "notCompared": "Nothing was compared with the acquirer’s record for 3 hours",
      "differences": "{number, plural, one {1 difference} other {# differences}} from the acquirer’s record to explain",
      "exports": "An export run is late"
    },
    "columns": {
      "kind": "Kind",
      "since": "Since",
      "nextCheck": "Next check",
      "warning": "Warning",
      "made": "Made"
    },
    "outcomes": {
      "heading": "Last 24 hours",
      "intro": "Charges and captures by the hour of their outcome, with fees and before refunds. A schedule that will be retried counts as one decline, at its last attempt.",
      "cut": "Only the newest {number} of each kind are counted.",
      "approved": "Banks approved {approved} of {decided} charges and holds ({percent} %).",
      "none": "No charge was accepted.",
      "table": "Show as table",
      "accepted": "Accepted, {currency}",
      "acceptedName": "Accepted by hour in {currency}: {sum} in all",
      "charges": "{number, plural, one {1 charge} other {# charges}}, {sum}",
      "declined": "Declined",
      "failed": "Failed",
      "byHour": "{what} by hour: {number} in all",
      "codes": "Declines by code",
      "code": "Code",
      "meaning": "Meaning",
      "number": "Number",
      "hour": "Hour",
      "hours": "Accepted, declined and failed by hour, UTC"
    },
    "unknown": {
      "heading": "Outcome unknown",
      "caption": "Status Processing, at most {most} shown",
      "empty": "Every outcome is known.",
      "kinds": {
        "charge": "Payment",
        "authorize": "Hold",
        "capture": "Capture",
        "release": "Release",
        "expire": "Release",
        "refund": "Refund"
      },
      "more": "There may be more than this list shows."
    },
    "refunds": {
      "heading": "Refunds",
      "none": "No refund was made in the last 24 hours.",
      "sum": "{number, plural, one {1 refund} other {# refunds}} {status} in the last 24 hours, {sum}",
      "statuses": {
        "Processing": "processing",
        "Refunded": "refunded",
        "Failed": "failed"
      }
    },
    "upcoming": {
      "heading": "Scheduled for the next 24 hours",
      "none": "Nothing is scheduled.",
      "sum": "{number, plural, one {1 charge} other {# charges}}, {sum}",
      "cut": "There may be more: only the next {number} are summed."
    },
    "warned": {
      "heading": "Payments with a warning",
      "caption": "Last 30 days (max. {most})",
      "empty": "No payment of the last 30 days was made with a warning.",
      "warnings": {
        "exceeds_due": "more than was due",
        "scheduled_exceeds_due": "more scheduled than stayed due",
        "surcharge_not_allowed": "a fee that the law does not allow"
      }
    },
    "messages": {
      "heading": "Messages to PMSs",
      "empty": "No message is waiting.",
      "depth": "{messages} undelivered, {dead} of them failed for good, at {properties, plural, one {1 property} other {# properties}}.",
      "cut": "There are more: these numbers include only what the table shows.",
      "counted": "{number} or more",
      "backlogs": "By property, those with dead messages first, at most {most} shown",
      "undelivered": "Undelivered",
      "dead": "Failed for good",
      "actions": "Actions",
      "since": "Failing since",
      "cause": "Cause",
      "nextDue": "Next due",
      "replayAll": "Replay all",
      "deadCaption": "Dead messages, at most {most} shown",
      "type": "Type",
      "error": "Error",
      "replay": "Replay",
      "dismiss": "Dismiss",
      "queued": "Queued",
      "attempts": "Attempts"
    },
    "dismiss": {
      "title": "Dismiss this message?",
      "of": "{type} for booking",
      "property": "of {property}, queued {time}.",
      "final": "This is final.",
      "consequence": "The PMS never gets this message, and it cannot be sent again. The booking’s later messages go out without it.",
      "submit": "Dismiss for good",
      "keep": "Keep it"
    },
    "endpoints": {
      "heading": "Webhook endpoints",
      "empty": "Every endpoint gets its events.",
      "caption": "Endpoints that are behind, at most {most} shown; their clients replay by /webhook/v1/replay",
      "endpoint": "Endpoint",
      "dead": "Failed for good",
      "lastAnswer": "Last answer",
      "none": "None",
      "http": "HTTP {status}",
      "nextAttempt": "Next attempt",
      "state": "State",
      "active": "Active",
      "deactivated": "Deactivated"
    },
    "comparisons": {
      "heading": "Comparisons",
      "empty": "Nothing was compared yet.",
      "caption": "The newest comparisons, at most {most} shown",
      "started": "Started",
      "state": "State",
      "exceptions": "Exceptions",
      "corrected": "Corrected",
      "compared": "Compared",
      "cause": "Cause",
      "phases": {
        "theirs": "reads the acquirer’s record",
        "ours": "reads ours",
        "holds": "reads holds",
        "done": "done"
      },
      "causes": {
        "hourly": "hourly",
        "nightly": "nightly",
        "asked": "manual",
        "clock": "test clock"
      },
      "account": "Account",
      "error": "Error"
    },
    "runs": {
      "heading": "Export runs",
      "empty": "No export has run yet.",
      "caption": "Running first, then failed in the last 7 days, then the newest",
      "started": "Started",
      "portfolio": "Portfolio",
      "file": "File",
      "day": "Day",
      "status": "Status",
      "progress": "Progress",
      "rows": "{rows} of {expected} rows",
      "rowsOf": "Rows of the {file} file",
      "error": "Error"
    }
  },
  "refusals": {
    "refund": "The payment is {status}: there is nothing to refund.",
    "release": "The payment is {status}: nothing is held.",
    "cancelSchedule": "The payment is {status}: it is not scheduled any more.",
    "left": "{amount} of this payment can still be refunded.",
    "known": "It is {status}: its outcome is known.",
    "tooEarly": "It was sent less than an hour ago and may still be under way.",
    "nothingScheduled": "Nothing is scheduled.",
    "noPayment": "The booking has no such payment.",
    "noPayout": "The property has no payout with this id.",
    "noDifference": "The difference is gone: the records agree.",
    "cancelled": "The booking is cancelled.",
    "notNow": "This cannot be done now. Please look at the booking again."
  },
  "today": {
    "needs": "What needs somebody",
    "nothing": "Nothing needs you: no payment or refund failed or is without an answer, no card fails, every cancellation is settled, no dispute needs an answer, and the records agree.",
    "all": "See all",
    "arrivals": {
      "heading": "Arriving today and tomorrow, with something to pay",
      "caption": "{number, plural, one {1 stay} other {# stays}}, {amount} to pay",
      "empty": "Nobody who arrives today or tomorrow has anything to pay."
    },
    "charged": {
      "heading": "Charged automatically today",
      "caption": "Charges until midnight, and holds that end",
      "empty": "Nothing is charged automatically today."
    },
    "takings": {
      "heading": "Taken",
      "today": "Today",
      "month": "This month",
      "refunded": "{amount} refunded"
    },
    "counted": "{heading} ({number})"
  },
  "outstanding": {
    "title": "Outstanding",
    "intro": "Stays that are not cancelled and owe something, whenever they arrive.",
    "heading": "Stays that owe something",
    "caption": "The first arrival first",
    "empty": "Nobody owes anything.",
    "sum": "{amount} outstanding",
    "incomplete": "A lot has happened since somebody looked: these sums are still being made. Open the page again in a moment.",
    "byArrival": "By arrival",
    "arrival": "Arrival",
    "stays": "Stays",
    "due": "Due",
    "ages": {
      "overdue": "Before today: overdue",
      "now": "Today and tomorrow",
      "week": "In the next 7 days",
      "month": "In the next 30 days",
      "later": "Later"
    },
    "choose": "Reports",
    "ways": {
      "report": "What was taken",
      "outstanding": "Outstanding"
    }
  },
  "staff": {
    "title": "Staff",
    "ownRole": "Nobody changes their own role. Ask another administrator.",
    "worksElsewhere": "This person also works elsewhere: an administrator of the service can change that.",
    "caption": "Who may see this property, by name",
    "empty": "Nobody works here yet.",
    "choose": "Staff",
    "ways": {
      "staff": "People",
      "audit": "What they did"
    },
    "limit": "A cashier refunds up to {amount} of one booking in a day, unless they have a limit of their own.",
    "limitHeading": "What cashiers refund",
    "limitOfAll": "Of one booking in a day, in {currency} (empty: nothing)",
    "noLimit": "Cashiers refund nothing, unless they have a limit of their own.",
    "ownLimit": "Refunds of one booking in a day, in {currency} (cashiers; empty: as the property says)",
    "upTo": "refunds up to {amount}",
    "name": "Name",
    "role": "Role",
    "roles": {
      "viewer": "Viewer",
      "accountant": "Accountant",
      "cashier": "Cashier",
      "manager": "Manager",
      "admin": "Administrator"
    },
    "elsewhere": "of several properties",
    "off": "switched off",
    "sessions": "Signed in",
    "change": "Change",
    "save": "Save",
    "switchOff": "Switch off",
    "switchOn": "Switch on again",
    "end": "End all sessions",
    "invite": "Add someone",
    "add": "Add and send a sign-in link",
    "inviteNote": "The link works once, for 15 minutes. Later they ask for another one on the sign-in page.",
    "done": "The change was saved.",
    "noName": "Enter a name of 1 to 100 characters."
  },
  "audit": {
    "title": "What they did",
    "who": "Who",
    "all": "All",
    "kinds": {
      "taken": "Taken",
      "refunded": "Refunded",
      "disputed": "Disputed"
    },
    "movements": {
      "charge": "Payment taken",
      "capture": "Hold captured",
      "correction": "Amount corrected",
      "refund": "Refunded",
      "reversal": "Refund that failed",
      "chargeback": "Chargeback",
      "chargeback_reversal": "Chargeback returned"
    },
    "reason": "Reason",
    "setting": "Setting",
    "before": "Before",
    "after": "After",
    "moved": {
      "heading": "Money moved",
      "caption": "The latest first",
      "empty": "Nothing was moved on these days."
    },
    "changes": {
      "heading": "Changes of people and settings",
      "caption": "The latest first",
      "empty": "Nothing was changed."
    }
  },
  "mails": {
    "digest": {
      "subject": "{count, plural, one {1 payment needs} other {# payments need}} your attention: {property}, {day}",
      "heading": "Payments that need your attention",
      "opening": "Yesterday at {property}:",
      "charges": "Failed charges",
      "refunds": "Failed refunds",
      "disputes": "Disputes",
      "item": "{time}: booking {what}",
      "declined": "declined: {reason}",
      "failed": "technical failure ({reason})",
      "failures": {
        "gateway_error": "the payment company could not process it",
        "never reached the gateway": "it never reached the payment company"
      },
      "refundFailed": "the refund failed: the guest did not receive the money",
      "disputeOpened": "disputed ({reason})",
      "disputeToAnswer": "disputed ({reason}), answer by {time}",
      "disputeWon": "the dispute was won",
      "disputeLost": "the dispute was lost",
      "noReason": "no reason given",
      "more": "And {count} more.",
      "tries": "{count} times since {time}"
    },
    "virtualCard": {
      "subject": "A virtual card needs your attention: booking {reference}, {property}",
      "heading": "A virtual card needs your attention",
      "opening": "The virtual card of booking {reference} ({guest}) could not be charged, or will not be:",
      "declined": "{amount} on {card}: declined ({reason})",
      "expiring": "{amount} on {card}: the card will have expired",
      "former": "{amount} on {card}: the card is kept at a former payment account",
      "cardFrom": "{card} from {channel}",
      "answerBy": "Ask the agency for another card, and add it by {time}.",
      "guest": "The guest is not asked.",
      "action": "See the booking"
    }
  },
  "below": {
    "planStale": "The plan would not be as it was shown any more.",
    "uncertain": "The outcome of a payment or refund of the booking is not known yet.",
    "noPolicy": "Neither the booking nor its property has a cancellation policy: say what is kept, or set one.",
    "nothingToTake": "There is nothing to take.",
    "chargeLost": "The charge was lost to a dispute, so it cannot be refunded.",
    "noDispute": "The property has no such dispute.",
    "chargeDisputed": "The charge is disputed, so it cannot be refunded.",
    "answerUnderWay": "An answer to the dispute is on its way to the payment company.",
    "disputeClosed": "The dispute is {status}: it takes no answer.",
    "inquiry": "An inquiry is not accepted: refund the charge instead.",
    "refundUnknown": "The payment company did not answer. We are finding out what happened, and nothing is refunded twice.",
    "refundRefused": "The payment company did not accept the refund. Nothing was refunded.",
    "refundedInPart": "The payment company did not accept the whole refund. The booking’s page shows what was refunded.",
    "notAtGateway": "The payment company does not know this payment, so it cannot refund it.",
    "exceedsCharge": "The amount is more than can be refunded. Nothing was refunded.",
    "beyondLimit": "Your role refunds up to the limit of the property, {limit} of one booking in a day. {left} of that is left today. Only managers can refund more.",
    "wrongCharge": "The charge is {status}.",
    "wrongHold": "The hold is {status}.",
    "wrongSchedule": "The scheduled charge is {status}.",
    "wrongTransaction": "The payment is {status}.",
    "wrongRefund": "The refund is {status}.",
    "noHold": "This payment is not a hold.",
    "noSchedule": "This payment is not a scheduled charge.",
    "noToken": "There is no such card.",
    "noTransaction": "The booking has no such payment.",
    "feesChanged": "The fees have changed since the page showed them.",
    "cardExpired": "The card has expired.",
    "otherQuote": "The price that was shown is of another payment. Nothing was charged.",
    "quoteStale": "The price has changed since it was shown. Nothing was charged; please look at it again.",
    "exceedsDue": "The amount is more than is due. Nothing was charged.",
    "holdExpired": "The hold has expired.",
    "exceedsHold": "The amount is more than is held.",
    "outcomeReported": "The payment company has reported what happened: {status}.",
    "otherCancellation": "What was shown is not the cancellation of this booking. Nothing was cancelled.",
    "cancellationStale": "What the cancellation comes to has changed since it was shown. Nothing was cancelled; please look at it again.",
    "keyReused": "This form was sent before, for something else. Please begin again.",
    "planTooLong": "The plan would have more than 120 parts.",
    "noPlan": "The booking has never had a plan.",
    "bounced": "Mail to this address has bounced: it gets no more mail.",
    "cannotMail": "This service cannot send e-mail. Ask your administrator to set it up.",
    "virtualNotActive": "The virtual card is not active yet. Nothing was charged.",
    "virtualEnded": "The virtual card has ended. Nothing was charged.",
    "exceedsVirtual": "The amount is more than remains on the virtual card. Nothing was charged.",
    "formerAccount": "The card is kept at an account that is no longer the property's. Ask the guest to enter a card again.",
    "noPerson": "There is no such person.",
    "noProperty": "There is no such property.",
    "noBooking": "There is no booking with this reference.",
    "bookingCancelled": "The booking is cancelled.",
    "moving": "The property is being moved. Nothing was recorded; try again.",
    "busy": "The service is busy with other operations. It started nothing for this request; try again.",
    "stillRunning": "This form is being worked on already. Look at the booking in a moment.",
    "differenceClosed": "The difference is gone: the records agree.",
    "noDifference": "There is no such difference.",
    "noPayout": "The property has no such payout.",
    "noReport": "The property has no such comparison.",
    "wrongMessage": "The message is {status}.",
    "noMessage": "No message has this id.",
    "internal": "Something went wrong here. Name the request id when you report it.",
    "duplicate": "This looks like a payment that was made already. Nothing was charged.",
    "notAcceptable": "Not acceptable: {fields}.",
    "tooManyLines": "A statement may have at most {most} lines.",
    "tooManyEntries": "A statement may have at most {most} entries.",
    "tooManyInFile": "A file may have at most {most} lines.",
    "rowWithoutDay": "Row {row} has no day in the format.",
    "rowWithoutAmount": "Row {row} has no amount of {currency}.",
    "rowWithoutReference": "Row {row} has no reference of a booking.",
    "rowWithCardNumber": "Row {row} has a card number.",
    "rowWithoutId": "Row {row} has no id of a transaction.",
    "rowWithoutTime": "Row {row} has no time.",
    "rowOfOtherType": "Row {row} has a type other than Payment and Refund.",
    "noHeaders": "No row has the headers {names}.",
    "firstHeaders": "The first row must have the headers reference, type and amountGross; transactionId and processedTime may follow.",
    "notXml": "The text is not well-formed XML.",
    "doctype": "A document with a DOCTYPE is not taken.",
    "tooManyAttributes": "An element has too many attributes.",
    "tooDeep": "The document is nested too deeply.",
    "entryWithoutCurrency": "Entry {number} has no currency of ISO 4217.",
    "entryWithoutAmount": "Entry {number} has no amount of its currency.",
    "entryWithoutDirection": "Entry {number} is neither a credit nor a debit.",
    "entryWithoutDay": "Entry {number} has no day of booking.",
    "lastBeforeFirst": "The last day must not come before the first one.",
    "fewerDays": "Ask for fewer days: at most {bookings} bookings and {payments} payments.",
    "noStatement": "The text is no camt.053 (BankToCustomerStatement)."
  }
};
export default messages;
