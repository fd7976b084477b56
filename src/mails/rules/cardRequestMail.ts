import type { MailContent } from '../../platform/mail/layout.tsx';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRequestRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { mailReader } from './facts.ts';

/** What a mail that asks for a card says; `booking` is null where it is for none. */
export interface RequestOfMail {
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
