import { isolated } from '../../../core/format.ts';
import type { Reader } from '../../../core/words/reader.ts';
import type { CancellationQuote } from '../../../money/settlements/quote.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import { cardName } from './cardName.ts';

/** What cancelling comes to, in sentences: what is kept, then what is paid, charged and given back. */
export function cancelWords(
  reader: Reader,
  quote: CancellationQuote,
  { booking, property }: Pick<BookingState, 'booking' | 'property'>,
): { readonly kept: string; readonly moved: readonly string[] } {
  const { bonds, cancelledSchedules, captures, keepMinor, paidMinor, planId, refunds, releases } =
    quote;
  const { cancellation: texts } = reader.words;
  const amount = (minor: number) => ({ amount: reader.money(minor, booking.currency) });
  const kept = { ...amount(keepMinor), property: isolated(property.name) };
  const isPlanned = planId !== null || cancelledSchedules.length > 0;
  return {
    kept: keepMinor === 0 ? texts.free : texts.kept(kept),
    moved: [
      ...(paidMinor > 0 ? [texts.paid(amount(paidMinor))] : []),
      ...captures.flatMap(({ priced }) => [
        texts.captured(amount(priced.amountMinor)),
        ...feeWords(reader, priced, booking),
      ]),
      ...chargeWords(reader, quote, booking),
      ...[...refunds, ...bonds].map(({ withFeesMinor }) => texts.refunded(amount(withFeesMinor))),
      ...releases.map(({ amountMinor }) => texts.released(amount(amountMinor))),
      ...(isPlanned ? [texts.planned] : []),
    ],
  };
}

/** What a card of the guest's is charged. An agency's virtual card is between that and the property. */
function chargeWords(
  reader: Reader,
  { charge }: CancellationQuote,
  booking: BookingState['booking'],
): string[] {
  if (charge === null || charge.card.virtual !== null) return [];
  const { card, priced } = charge;
  const amount = reader.money(priced.amountMinor, booking.currency);
  const charged = { amount, card: cardName(reader.words, card) };
  return [reader.words.cancellation.charged(charged), ...feeWords(reader, priced, booking)];
}

/** The fees in what is taken, if any. */
function feeWords(
  { money, words }: Reader,
  { cardFeeMinor, transactionFeeMinor }: Priced,
  { currency }: BookingState['booking'],
): string[] {
  const feeMinor = cardFeeMinor + transactionFeeMinor;
  return feeMinor > 0 ? [words.cancellation.fee({ fee: money(feeMinor, currency) })] : [];
}
