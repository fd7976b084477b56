import { capitalisedBrand } from '../../core/cardNumbers.ts';
import { day, instant as englishInstant } from '../../core/format.ts';
import type { BookingRow } from '../../platform/db/bookingTables.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import type { RecoveryRow } from '../../platform/db/recoveryTables.ts';
import { englishReader, type Reader } from '../../platform/words/reader.ts';

/** A charge that a guest is asked about. */
export interface AskedCharge {
  readonly cause: RecoveryRow['cause'];
  readonly deadlineAtMs: number;
  readonly charge: Pick<TransactionRow, 'amountMinor' | 'currency' | 'scheduledAtMs'>;
  readonly card: Pick<CardRow, 'brand' | 'last4'>;
}

/** The words of a message: its layout is not theirs. */
export interface AskingWords {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** What the link to the booking's payment page is called. */
  readonly action: string;
  readonly closing: readonly string[];
}

/** The words that ask a guest to replace a card or to pay (interface: Recovery). */
export function askingWords(
  { name, timeZone }: Pick<PropertyRow, 'name' | 'timeZone'>,
  { reference, arrival, departure }: Pick<BookingRow, 'reference' | 'arrival' | 'departure'>,
  asked: readonly AskedCharge[],
): AskingWords {
  const deadlineMs = Math.min(...asked.map(({ deadlineAtMs }) => deadlineAtMs));
  const isDeclined = asked.some(({ cause }) => cause !== 'expiring');
  const until = `${englishInstant(deadlineMs, timeZone)} (${timeZone})`;
  return {
    subject: isDeclined
      ? `Payment for your stay at ${name} (${reference})`
      : `Your card for your stay at ${name} (${reference})`,
    heading: isDeclined ? 'A payment needs your attention' : 'Your card expires soon',
    paragraphs: [
      `This is about your stay at ${name} from ${day(arrival)} to ${day(departure)} (${reference}).`,
      ...asked.map((one) => reason(one, timeZone)),
      `Please replace the card or pay now, by ${until}.`,
      ...(isDeclined
        ? ['If you add another card, the payment that was declined is charged to it at once.']
        : []),
    ],
    action: 'Replace the card or pay',
    closing: [
      `Nobody at ${name} sees your card number. If you have answered already, please ignore this message.`,
    ],
  };
}

/** Why a guest is asked, in a sentence or two. Also for the booking's page. */
export function reason(
  { cause, charge, card }: Omit<AskedCharge, 'deadlineAtMs'>,
  timeZone: string,
  { instant, money, words: { recovery } }: Reader = englishReader,
): string {
  const amount = money(charge.amountMinor, charge.currency);
  const { scheduledAtMs } = charge;
  const on = scheduledAtMs === null ? '' : recovery.on(instant(scheduledAtMs, timeZone));
  return recovery[cause](amount, on, recovery.cardName(capitalisedBrand(card.brand), card.last4));
}
