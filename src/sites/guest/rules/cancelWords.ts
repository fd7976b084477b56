import { isolated } from '../../../core/format.ts';
import { sumOf } from '../../../core/sum.ts';
import type { Reader } from '../../../core/words/reader.ts';
import type { CancellationQuote } from '../../../money/settlements/quote.ts';
import type { GivenBack } from '../../../money/settlements/rules/decideCancellation.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import { cardName } from './cardName.ts';

/** What a sentence about an amount is told. */
interface Told {
  readonly amount: string;
  readonly property: string;
}

/** Says, in a sentence each, what cancelling keeps, and what is paid, charged and given back. */
export function cancelWords(
  { money, words }: Reader,
  quote: CancellationQuote,
  { booking, property }: Pick<BookingState, 'booking' | 'property'>,
): string[] {
  const { cancelledSchedules, captures, keepMinor, planId, releases } = quote;
  const texts = words.cancellation;
  const name = isolated(property.name);
  const said = (minor: number, text: (told: Told) => string) =>
    minor > 0 ? [text({ amount: money(minor, booking.currency), property: name })] : [];
  const charge = guestsCharge(quote);
  const back = [...quote.refunds, ...quote.bonds];
  const feeKeptMinor = sumOf(back.map(feeKept), 'minor');
  const isPlanned = planId !== null || cancelledSchedules.length > 0;
  return [
    ...said(keepMinor, texts.kept),
    ...(keepMinor + feeKeptMinor === 0 ? [texts.free] : []),
    ...said(quote.paidMinor, texts.paid),
    ...captures.flatMap(({ priced }) => [
      ...said(priced.amountMinor, texts.captured),
      ...said(feeOf(priced), texts.fee),
    ]),
    ...charge.flatMap(({ card, priced }) => [
      ...said(priced.amountMinor, (told) =>
        texts.charged({ ...told, card: cardName(words, card) }),
      ),
      ...said(feeOf(priced), texts.fee),
    ]),
    ...said(quote.uncollectableMinor, texts.owed),
    ...back.flatMap(({ withFeesMinor }) => said(withFeesMinor, texts.refunded)),
    ...said(feeKeptMinor, texts.feeKept),
    ...said(quote.unrefundableMinor, texts.unrefundable),
    ...releases.flatMap(({ amountMinor }) => said(amountMinor, texts.released)),
    ...(isPlanned ? [texts.planned] : []),
  ];
}

/** The charge of a guest's card, if any. An agency's virtual card is between the agency and the property. */
function guestsCharge({ charge }: CancellationQuote) {
  return charge === null || charge.card.virtual !== null ? [] : [charge];
}

function feeOf({ cardFeeMinor, transactionFeeMinor }: Priced): number {
  return cardFeeMinor + transactionFeeMinor;
}

/** The fees of a charge that do not go back: a refund takes from them last. */
function feeKept({ charge, withFeesMinor }: GivenBack): { readonly minor: number } {
  const { amountMinor, refundReservedMinor, requestedMinor } = charge;
  const leftMinor = amountMinor - refundReservedMinor - withFeesMinor;
  return { minor: Math.min(amountMinor - requestedMinor, leftMinor) };
}
