import { day, instant } from '../../core/format.ts';
import type { BookingRow } from '../../platform/db/bookingTables.ts';
import type { CardRequestRow } from '../../platform/db/cardTables.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import type { Mail } from '../../platform/mail/mail.ts';

/** Makes the e-mail that asks a guest for a card. */
export async function requestMail(
  { email, expiresAtMs }: CardRequestRow,
  property: PropertyRow,
  booking: BookingRow | null,
  link: string,
): Promise<Mail> {
  const stay =
    booking === null
      ? ''
      : ` for your stay from ${day(booking.arrival)} to ${day(booking.departure)} (${booking.reference})`;
  const request = `${property.name} asks you to add a payment card${stay}.`;
  const expiry = `${instant(expiresAtMs, property.timeZone)} (${property.timeZone})`;
  const until = `You can add one card with this link, until ${expiry}.`;
  const caution =
    `Nothing is charged when you add a card, and nobody at ${property.name} can see its number. ` +
    'If you did not expect this message, please ignore it.';
  const subject = `Please add a card for ${property.name}`;
  const message = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
        <p>{request}</p>
        <p>
          <a href={link}>Add your card</a>
        </p>
        <p>{until}</p>
        <p>{caution}</p>
      </body>
    </html>
  );
  return {
    to: email,
    fromName: property.name,
    subject,
    text: [request, `Add your card here:\n${link}`, until, caution].join('\n\n'),
    html: `<!doctype html>${await message}`,
  };
}
