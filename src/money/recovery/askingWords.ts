import { capitalisedBrand } from '../../core/cardNumbers.ts';
import { type Reader, readerOf } from '../../core/words/reader.ts';
import type { Language } from '../../core/words/words.ts';
import { mailLanguage } from '../../platform/mail/rules/guestLanguage.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';

/** A charge that a guest is asked about. */
export interface AskedCharge {
  readonly cause: RecoveryRow['cause'];
  readonly deadlineAtMs: number;
  readonly charge: Pick<TransactionRow, 'amountMinor' | 'currency' | 'scheduledAtMs'>;
  readonly card: Pick<CardRow, 'brand' | 'last4'>;
}

/** The words of a message: its layout is not theirs. */
export interface AskingWords {
  readonly language: Language;
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** What the link to the booking's payment page is called. */
  readonly action: string;
  readonly closing: readonly string[];
}

/** The words that ask a guest to replace a card or to pay, in the property's language (interface: Recovery). */
export function askingWords(
  property: Pick<PropertyRow, 'name' | 'timeZone' | 'guestMails'>,
  { reference, arrival, departure }: Pick<BookingRow, 'reference' | 'arrival' | 'departure'>,
  asked: readonly AskedCharge[],
): AskingWords {
  const { name, timeZone } = property;
  const language = mailLanguage(property);
  const reader = readerOf(language);
  const texts = reader.words.mails.recovery;
  const deadlineMs = Math.min(...asked.map(({ deadlineAtMs }) => deadlineAtMs));
  const isDeclined = asked.some(({ cause }) => cause !== 'expiring' && cause !== 'former');
  const { subject, heading } = isDeclined ? texts.declined : texts.expiring;
  return {
    language,
    subject: subject({ property: name, reference }),
    heading,
    paragraphs: [
      texts.stay({
        property: name,
        arrival: reader.day(arrival),
        departure: reader.day(departure),
        reference,
      }),
      ...asked.map((one) => reason(one, timeZone, reader)),
      texts.answerBy({ time: `${reader.instant(deadlineMs, timeZone)} (${timeZone})` }),
      ...(isDeclined ? [texts.chargedAtOnce] : []),
    ],
    action: texts.action,
    closing: [texts.closing({ property: name })],
  };
}

/** Why a guest is asked, in a sentence or two. Also for the booking's page. */
export function reason(
  { cause, charge, card }: Omit<AskedCharge, 'deadlineAtMs'>,
  timeZone: string,
  { instant, money, words: { recovery } }: Reader,
): string {
  const amount = money(charge.amountMinor, charge.currency);
  const { scheduledAtMs } = charge;
  const on = scheduledAtMs === null ? '' : recovery.on({ time: instant(scheduledAtMs, timeZone) });
  return recovery[cause]({
    amount,
    on,
    card: recovery.cardName({ brand: capitalisedBrand(card.brand), last4: card.last4 }),
  });
}
