import type { BookingRow } from '../db/bookingTables.ts';
import type { CardRequestRow } from '../db/cardTables.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import type { Mail } from '../mail/mail.ts';
import { day, instant } from '../pages/format.ts';

/** The message that asks a guest for a card. */
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
  const asks = `${property.name} asks you for a card${stay}.`;
  const until = `The link works once, until ${instant(expiresAtMs, property.timeZone)} (${property.timeZone}).`;
  const caution = `Nobody at ${property.name} sees the number, and nothing is charged by this. If you did not expect this message, ignore it.`;
  const message = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Your card for {property.name}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
        <p>{asks}</p>
        <p>
          <a href={link}>Enter the card</a>
        </p>
        <p>{until}</p>
        <p>{caution}</p>
      </body>
    </html>
  );
  return {
    to: email,
    fromName: property.name,
    subject: `Your card for ${property.name}`,
    text: [asks, `Enter it here:\n${link}`, until, caution].join('\n\n'),
    html: `<!doctype html>${await message}`,
  };
}
