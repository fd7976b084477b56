import { capitalisedBrand } from '../../core/cardNumbers.ts';
import { type Reader, readerOf } from '../../core/words/reader.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import type { MailContent } from '../../platform/mail/layout.tsx';
import { mailLanguage } from '../../platform/mail/rules/language.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { bookingLink, LINK_LIFE_MS } from '../../records/links/linkToken.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import { isStillAsked } from './rules.ts';
import { readFacts, recoveryOf, situationOf } from './situation.ts';
import { virtualCardMail } from './virtualCardMail.ts';

export interface ReminderWork {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly baseUrl: string;
  /** What the property's clock shows. */
  readonly nowMs: number;
}

/** The address and the words of the reminder `mailId`; null where its guest, or property, is asked for nothing of it any more. */
export async function readReminder(
  work: ReminderWork,
  mailId: string,
  booking: BookingName,
): Promise<{ readonly to: string; readonly content: MailContent } | null> {
  const { baseUrl, database, keyring, nowMs } = work;
  const facts = await readFacts(database, booking);
  const { state, recoveries } = facts;
  const named = recoveries.filter((row) => row.reminderMail === mailId);
  const reminded = [];
  for (const row of named) {
    const { propertyId, cause, deadlineAtMs } = row;
    const recovery = await recoveryOf({ database, propertyId }, facts, row);
    const { card, charge } = recovery;
    if (card === null || deadlineAtMs === null) continue;
    if (isStillAsked(situationOf(recovery, nowMs))) {
      reminded.push({ cause, deadlineAtMs, charge, card });
    }
  }
  const ofProperty = reminded.filter(({ card }) => card.virtual !== null);
  const contact = state.property.contact?.email;
  if (ofProperty.length > 0 && contact !== undefined) {
    const content = virtualCardMail(state.property, state.booking, ofProperty, baseUrl);
    return { to: contact, content };
  }
  const { email } = state.booking;
  if (reminded.length === 0 || ofProperty.length > 0 || email === '') return null;
  const link = await bookingLink(keyring, baseUrl, state.booking, nowMs + LINK_LIFE_MS);
  return { to: email, content: reminderMail(state.property, state.booking, reminded, link) };
}

export interface RemindedCharge {
  readonly cause: RecoveryRow['cause'];
  readonly deadlineAtMs: number;
  readonly charge: Pick<TransactionRow, 'amountMinor' | 'currency' | 'scheduledAtMs'>;
  readonly card: Pick<CardRow, 'brand' | 'last4'>;
}

/**
 * Asks a guest to replace a card or to pay, in the property's language (interface: Recovery). `link` leads to the booking's
 * payment page.
 */
export function reminderMail(
  property: Pick<PropertyRow, 'name' | 'timeZone' | 'guestMails'>,
  { reference, arrival, departure }: Pick<BookingRow, 'reference' | 'arrival' | 'departure'>,
  reminded: readonly RemindedCharge[],
  link: string,
): MailContent {
  const { name, timeZone } = property;
  const language = mailLanguage(property);
  const reader = readerOf(language);
  const texts = reader.words.mails.recovery;
  const deadlineMs = Math.min(...reminded.map(({ deadlineAtMs }) => deadlineAtMs));
  const isDeclined = reminded.some(({ cause }) => cause !== 'expiring' && cause !== 'former');
  const { subject, heading } = isDeclined ? texts.declined : texts.expiring;
  return {
    language,
    subject: subject({ property: name, reference }),
    heading,
    opening: [
      texts.stay({
        property: name,
        arrival: reader.day(arrival),
        departure: reader.day(departure),
        reference,
      }),
      ...reminded.map((one) => reason(one, timeZone, reader)),
      texts.answerBy({ time: `${reader.instant(deadlineMs, timeZone)} (${timeZone})` }),
      ...(isDeclined ? [texts.chargedAtOnce] : []),
    ],
    action: { label: texts.action, url: link },
    closing: [texts.closing({ property: name })],
  };
}

/** Why a guest is asked, in a sentence or two. Also for the booking's page. */
export function reason(
  { cause, charge, card }: Omit<RemindedCharge, 'deadlineAtMs'>,
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
