import type { BookingRow } from '../../platform/db/bookingTables.ts';
import type { CardRequestRow } from '../../platform/db/cardTables.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import { mailLanguage } from '../../platform/mail/guestLanguage.ts';
import { layOut } from '../../platform/mail/layout.tsx';
import type { Mail } from '../../platform/mail/mail.ts';
import { guestMailTexts } from '../../platform/mail/words/guestTexts.ts';
import { readerOf } from '../../platform/words/reader.ts';

/** Makes the e-mail that asks a guest for a card. */
export async function requestMail(
  { email, expiresAtMs }: CardRequestRow,
  property: PropertyRow,
  booking: BookingRow | null,
  link: string,
): Promise<Mail> {
  const language = mailLanguage(property);
  const { day, instant, words } = readerOf(language);
  const texts = guestMailTexts(language).cardRequest;
  const { name, timeZone } = property;
  const { caution, forStay, withoutStay } = words.cardRequest;
  const content = {
    language,
    subject:
      booking === null ? texts.subjectWithoutStay(name) : texts.subject(name, booking.reference),
    heading: texts.heading,
    opening: [
      booking === null
        ? withoutStay(name)
        : forStay(name, day(booking.arrival), day(booking.departure), booking.reference),
    ],
    action: { label: texts.action, url: link },
    closing: [
      texts.until(`${instant(expiresAtMs, timeZone)} (${timeZone})`),
      caution(name),
      texts.unexpected,
    ],
  };
  return { id: null, to: email, ...(await layOut(property, content)) };
}
