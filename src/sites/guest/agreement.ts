import { isolated } from '../../core/format.ts';
import type { AppContext } from '../../http/context.ts';
import { visitorOf } from '../../http/visitor.ts';
import type { OfferedPlan } from '../../money/plans/choice.ts';
import type { CancellationQuote } from '../../money/settlements/quote.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { AgreementKind } from '../../records/cards/rules.ts';
import type { Agreed } from '../../records/guestActs/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { readerOfGuest } from './language.ts';
import type { Quote } from './quote.ts';
import { cancelWords } from './rules/cancelWords.ts';
import { cardName } from './rules/cardName.ts';
import { cardSentences } from './rules/cardSentences.ts';
import { planWords } from './rules/planWords.ts';

/** What a guest agrees to by sending a card's form, in the words of its page. */
export function agreedToCard(
  c: AppContext,
  kind: AgreementKind,
  property: Pick<PropertyRow, 'name' | 'contact'>,
  showsCharges: boolean,
): Agreed {
  const reader = readerOfGuest(c);
  const terms = property.contact?.termsUrl;
  const { agreement } = reader.words;
  return agreed(c, [
    cardSentences(reader, kind, property, showsCharges),
    ...(terms === undefined
      ? []
      : [`${agreement.terms({ property: isolated(property.name) })}: ${terms}`]),
  ]);
}

/** What a guest agrees to by the button that pays, in the words of its page. */
export function agreedToPay(
  c: AppContext,
  { priced, requestedMinor }: Quote,
  currency: string,
  card: CardRow | null,
): Agreed {
  const { money, words } = readerOfGuest(c);
  const amount = (minor: number) => money(minor, currency);
  const totalMinor = priced?.amountMinor ?? requestedMinor;
  const feeMinor = totalMinor - requestedMinor;
  return agreed(c, [
    ...(card ? [`${words.bank.card}: ${cardName(words, card)}`] : []),
    ...(feeMinor > 0
      ? [
          `${words.pay.bookingPayment}: ${amount(requestedMinor)}`,
          `${words.pay.cardFee}: ${amount(feeMinor)}`,
        ]
      : []),
    `${words.pay.total}: ${amount(totalMinor)}`,
    words.pay.button({ total: amount(totalMinor) }),
  ]);
}

/** What a guest agrees to by the button that chooses a plan, in the words of its page. */
export function agreedToPlan(
  c: AppContext,
  offer: OfferedPlan,
  property: PropertyRow,
  card: CardRow,
): Agreed {
  const reader = readerOfGuest(c);
  const { words } = reader;
  const { parts, said, total } = planWords(reader, offer, property, cardName(words, card));
  return agreed(c, [offer.template.name, ...parts, total, ...said, words.plan.button]);
}

/** What a guest agrees to by the button that cancels their booking, in the words of its page, with the property's own. */
export function agreedToCancel(
  c: AppContext,
  quote: CancellationQuote,
  state: Pick<BookingState, 'booking' | 'property'>,
): Agreed {
  const reader = readerOfGuest(c);
  const { cancellation } = reader.words;
  const policy = state.booking.cancellationPolicy?.text;
  return agreed(c, [
    ...(policy === undefined ? [] : [policy]),
    ...cancelWords(reader, quote, state),
    cancellation.final,
    cancellation.button,
  ]);
}

/** The lines of a page as text: without the signs that keep names apart from what is written the other way. */
function agreed(c: AppContext, lines: readonly string[]): Agreed {
  const { language } = readerOfGuest(c).words;
  const words = lines.join('\n').replaceAll(/[\u2068\u2069]/g, '');
  return { language, words, ...visitorOf(c) };
}
