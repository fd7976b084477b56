import { capitalisedBrand } from '../../core/cardNumbers.ts';
import { declineWords } from '../../core/words/declines.ts';
import { type Reader, readerOf } from '../../core/words/reader.ts';
import type { Language } from '../../core/words/words.ts';
import type { MailContent, MailFact } from '../../platform/mail/layout.tsx';
import { mailLanguage } from '../../platform/mail/rules/language.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRequestRow, CardRow } from '../../schema/cardTables.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/** What a mail about a payment says besides the payment. */
interface Stay {
  readonly property: PropertyRow;
  readonly booking: BookingRow;
  readonly card: CardRow | null;
}

type ChargeOfMail = Stay & { readonly charge: TransactionRow };
type RefundOfMail = Stay & { readonly refund: RefundRow };

/** How a property writes to its guests. */
interface MailReader extends Reader {
  readonly language: Language;
}

function mailReader(property: PropertyRow): MailReader {
  const language = mailLanguage(property);
  return { ...readerOf(language), language };
}

/** What a receipt says of its booking: the address of its page, and what is still due; null where there is none. */
export interface Open {
  readonly payUrl: string | null;
  readonly dueMinor: number | null;
}

/** The receipt of a payment: what was paid, with the fees as lines of their own, and what is still due. */
export function receipt(
  { charge, ...stay }: ChargeOfMail,
  { payUrl, dueMinor }: Open,
): MailContent {
  const { property, booking } = stay;
  const reader = mailReader(property);
  const { language, money, words } = reader;
  const texts = words.mails.receipt;
  const { currency, requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor } = charge;
  const total = money(amountMinor, currency);
  const fee = (name: string, minor: number) =>
    minor === 0 ? [] : [{ name, value: money(minor, currency) }];
  const number = { name: words.receipt.number, value: String(charge.id) };
  return {
    language,
    subject: texts.subject({ property: property.name, reference: booking.reference }),
    heading: texts.heading,
    opening: [texts.opening({ property: property.name, amount: total })],
    action: payUrl === null ? undefined : { label: words.mails.facts.seeBooking, url: payUrl },
    facts: [
      ...factsOf(stay, charge, number, reader),
      ...(dueMinor === null
        ? []
        : [{ name: words.receipt.stillDue, value: money(dueMinor, currency) }]),
    ],
    sum: [
      { name: words.pay.bookingPayment, value: money(requestedMinor, currency) },
      ...fee(texts.transactionFee, transactionFeeMinor),
      ...fee(words.pay.cardFee, cardFeeMinor),
      { name: words.receipt.total, value: total },
    ],
  };
}

export function refundMail({ refund, ...stay }: RefundOfMail): MailContent {
  const { property, booking } = stay;
  const reader = mailReader(property);
  const { refund: texts, facts } = reader.words.mails;
  const total = reader.money(refund.amountMinor, refund.currency);
  const number = { name: facts.refund, value: String(refund.id) };
  return {
    language: reader.language,
    subject: texts.subject({ property: property.name, reference: booking.reference }),
    heading: texts.heading,
    opening: [texts.opening({ property: property.name, amount: total })],
    facts: factsOf(stay, refund, number, reader),
    sum: [{ name: texts.total, value: total }],
    closing: [texts.timing],
  };
}

/** Tells a guest of a charge that was declined or not made, and what to do. `payUrl` is null without a page to pay on. */
export function failedPayment(
  { charge, ...stay }: ChargeOfMail,
  payUrl: string | null,
): MailContent {
  const { property, booking } = stay;
  const reader = mailReader(property);
  const { language, words } = reader;
  const texts = words.mails.failedPayment;
  const amount = reader.money(charge.amountMinor, charge.currency);
  return {
    language,
    subject: texts.subject({ property: property.name, reference: booking.reference }),
    heading: texts.heading,
    opening: [
      texts.opening({ property: property.name, amount }),
      reasonOf(charge, reader),
      ...(payUrl === null ? [] : [texts.payOnline]),
    ],
    action: payUrl === null ? undefined : { label: texts.action, url: payUrl },
    facts: factsOf(stay, charge, { name: words.bank.amount, value: amount }, reader),
    closing: payUrl === null ? [texts.contact({ property: property.name })] : [],
  };
}

function reasonOf(
  { status, declineCode, cardToken }: TransactionRow,
  { words }: MailReader,
): string {
  if (status === 'Declined') return declineWords(words, declineCode);
  const { noCard, notMade } = words.mails.failedPayment;
  return cardToken === null ? noCard : notMade;
}

/** Who stays when, and what was paid or returned: for what, on which card and when, in the property's zone. */
function factsOf(
  { booking, card, property: { timeZone } }: Stay,
  { description, completedAtMs, createdAtMs, status }: TransactionRow | RefundRow,
  own: MailFact,
  { day, guest, instant, words }: MailReader,
): MailFact[] {
  const { arrival, departure, reference } = booking;
  const dates = { arrival: day(arrival), departure: day(departure) };
  const brand = card && capitalisedBrand(card.brand);
  const time = instant(completedAtMs ?? createdAtMs, timeZone);
  return [
    { name: words.booking.guest, value: guest(booking) },
    { name: words.booking.stay, value: words.booking.dates(dates) },
    { name: words.booking.reference, value: reference },
    ...(description ? [{ name: words.mails.facts.for, value: description }] : []),
    own,
    ...(card && brand
      ? [{ name: words.receipt.card, value: words.card.endingIn({ brand, last4: card.last4 }) }]
      : []),
    {
      name: status === 'Accepted' ? words.receipt.time : words.mails.facts.time,
      value: `${time} (${timeZone})`,
    },
  ];
}

/** Gives a guest the address of their payment page, which says what is due. */
export function paymentLinkMail(
  { booking, property }: Pick<Stay, 'booking' | 'property'>,
  payUrl: string,
): MailContent {
  const { day, guest, language, words } = mailReader(property);
  const texts = words.mails.paymentLink;
  const dates = { arrival: day(booking.arrival), departure: day(booking.departure) };
  return {
    language,
    subject: texts.subject({ property: property.name, reference: booking.reference }),
    heading: texts.heading,
    opening: [texts.opening({ property: property.name })],
    action: { label: words.mails.facts.seeBooking, url: payUrl },
    facts: [
      { name: words.booking.guest, value: guest(booking) },
      { name: words.booking.stay, value: words.booking.dates(dates) },
      { name: words.booking.reference, value: booking.reference },
    ],
    closing: [words.mails.cardRequest.unexpected],
  };
}

/** What a mail that asks for a card says; `booking` is null where it is for none. */
interface RequestOfMail {
  readonly property: PropertyRow;
  readonly booking: BookingRow | null;
  readonly request: Pick<CardRequestRow, 'expiresAtMs'>;
}

/** Asks a guest for a card, by a link to the page that takes it. */
export function cardRequestMail(
  { property, booking, request }: RequestOfMail,
  link: string,
): MailContent {
  const { day, instant, language, words } = mailReader(property);
  const texts = words.mails.cardRequest;
  const { name, timeZone } = property;
  const { caution, forStay, withoutStay } = words.cardRequest;
  return {
    language,
    subject:
      booking === null
        ? texts.subjectWithoutStay({ property: name })
        : texts.subject({ property: name, reference: booking.reference }),
    heading: texts.heading,
    opening: [
      booking === null
        ? withoutStay({ property: name })
        : forStay({
            property: name,
            arrival: day(booking.arrival),
            departure: day(booking.departure),
            reference: booking.reference,
          }),
    ],
    action: { label: texts.action, url: link },
    closing: [
      texts.until({ time: `${instant(request.expiresAtMs, timeZone)} (${timeZone})` }),
      caution({ property: name }),
      texts.unexpected,
    ],
  };
}

/** Tells in one mail what several would have told, in their order. */
export function summary(property: PropertyRow, mails: readonly MailContent[]): MailContent {
  const { language, words } = mailReader(property);
  const texts = words.mails.summary;
  return {
    language,
    subject: texts.subject({ property: property.name }),
    heading: texts.heading,
    opening: [texts.opening({ property: property.name })],
    lists: mails.map(({ action, closing = [], facts = [], heading, opening, sum = [] }) => ({
      heading,
      items: [
        ...opening,
        ...(action ? [`${action.label}: ${action.url}`] : []),
        ...[...facts, ...sum].map(({ name, value }) => `${name}: ${value}`),
        ...closing,
      ],
    })),
  };
}
