import type { CancellationQuote } from '../money/settlements/quote.ts';
import type { GivenBack } from '../money/settlements/rules/decideCancellation.ts';
import type { BookingFile } from './bookingFile.ts';
import { money } from './format.ts';
import { cardCopy, guestOf, words } from './words.ts';

const copy = words.confirm.cancelling;

/** What cancelling a booking will do, in sentences: what is kept first, then what comes in, then what goes out. */
export function cancelSentences(quote: CancellationQuote, file: BookingFile): string[] {
  const { booking } = file.state;
  const amountOf = (minor: number) => ({ amount: money(minor, booking.currency) });
  const { bonds, captures, cancelledSchedules, charge, refunds, releases } = quote;
  const whole = {
    guest: guestOf(booking),
    reference: booking.reference,
    kept: money(quote.keepMinor, booking.currency),
    paid: money(quote.paidMinor, booking.currency),
  };
  return [
    copy.whole(whole),
    ...captures.map(({ priced }) => copy.capture(amountOf(priced.amountMinor))),
    ...(charge
      ? [copy.charge({ ...amountOf(charge.priced.amountMinor), card: cardCopy(charge.card) })]
      : []),
    ...refunds.map((given) => copy.refund(givenBack(given, file))),
    ...bonds.map((given) => copy.bond(givenBack(given, file))),
    ...releases.map(({ amountMinor }) => copy.release(amountOf(amountMinor))),
    ...cancelledSchedules.map(({ amountMinor }) => copy.schedule(amountOf(amountMinor))),
    ...(quote.planId === null ? [] : [copy.plan]),
    ...(quote.uncollectableMinor > 0
      ? [copy.uncollectable(amountOf(quote.uncollectableMinor))]
      : []),
    ...(quote.unrefundableMinor > 0 ? [copy.unrefundable(amountOf(quote.unrefundableMinor))] : []),
    copy.final,
  ];
}

/** How much goes back to which card. */
function givenBack({ charge, withFeesMinor }: GivenBack, { cards, state }: BookingFile) {
  const card = cards.find(({ token }) => token === charge.cardToken) ?? null;
  return {
    amount: money(withFeesMinor, state.booking.currency),
    card: cardCopy(card),
  };
}
