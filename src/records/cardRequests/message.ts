import { readerOf } from '../../core/words/reader.ts';
import { layOut } from '../../platform/mail/layout.tsx';
import type { Mail } from '../../platform/mail/mail.ts';
import { mailLanguage } from '../../platform/mail/rules/guestLanguage.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRequestRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/** Makes the e-mail that asks a guest for a card. */
export async function requestMail(
  { email, expiresAtMs }: CardRequestRow,
  property: PropertyRow,
  booking: BookingRow | null,
  link: string,
): Promise<Mail> {
  const language = mailLanguage(property);
  const { day, instant, words } = readerOf(language);
  const texts = words.mails.cardRequest;
  const { name, timeZone } = property;
  const { caution, forStay, withoutStay } = words.cardRequest;
  const content = {
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
      texts.until({ time: `${instant(expiresAtMs, timeZone)} (${timeZone})` }),
      caution({ property: name }),
      texts.unexpected,
    ],
  };
  return { id: null, to: email, ...(await layOut(property, content)) };
}
