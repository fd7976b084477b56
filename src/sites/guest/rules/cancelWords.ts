import { isolated } from '../../../core/format.ts';
import type { Reader } from '../../../core/words/reader.ts';
import type { CancellationQuote } from '../../../money/settlements/quote.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';

/** What cancelling comes to, in sentences: what is kept, then what is charged and given back. */
export function cancelWords(
  { money, words }: Reader,
  { bonds, captures, charge, keepMinor, refunds, releases }: CancellationQuote,
  { booking, property }: Pick<BookingState, 'booking' | 'property'>,
): { readonly kept: string; readonly moved: readonly string[] } {
  const texts = words.cancellation;
  const amount = (minor: number) => ({ amount: money(minor, booking.currency) });
  const kept = { ...amount(keepMinor), property: isolated(property.name) };
  return {
    kept: keepMinor === 0 ? texts.free : texts.kept(kept),
    moved: [
      ...captures.map(({ priced }) => texts.captured(amount(priced.amountMinor))),
      ...(charge ? [texts.charged(amount(charge.priced.amountMinor))] : []),
      ...[...refunds, ...bonds].map(({ withFeesMinor }) => texts.refunded(amount(withFeesMinor))),
      ...releases.map(({ amountMinor }) => texts.released(amount(amountMinor))),
    ],
  };
}
