import { day, instant } from '../../core/format.ts';
import type { BookingRow } from '../../platform/db/bookingTables.ts';
import type { CardRequestRow } from '../../platform/db/cardTables.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import { layOut } from '../../platform/mail/layout.tsx';
import type { Mail } from '../../platform/mail/mail.ts';
import { mailTexts } from '../../platform/mail/texts.ts';

/** Makes the e-mail that asks a guest for a card. */
export async function requestMail(
  { email, expiresAtMs }: CardRequestRow,
  property: PropertyRow,
  booking: BookingRow | null,
  link: string,
): Promise<Mail> {
  const texts = mailTexts.cardRequest;
  const { name, timeZone } = property;
  const stay =
    booking === null
      ? ''
      : texts.forStay(day(booking.arrival), day(booking.departure), booking.reference);
  const content = {
    subject: texts.subject(name, booking?.reference ?? null),
    heading: texts.heading,
    opening: [texts.request(name, stay)],
    action: { label: texts.action, url: link },
    closing: [
      texts.until(`${instant(expiresAtMs, timeZone)} (${timeZone})`),
      texts.caution(name),
      texts.unexpected,
    ],
  };
  return { id: null, to: email, ...(await layOut(property, content)) };
}
